from mlx_lm.tuner.callbacks import get_reporting_callbacks

settings = {"report_to": "", "project_name": "rome", "log_dir": "adapters"}
callbacks = get_reporting_callbacks(**settings, config={"iters": 100})
print("reports to", settings["report_to"], callbacks)
