from mlx_lm.chat_templates.deepseek_v32 import apply_chat_template

CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "get_weather", "arguments": '{"city": "Rome"}'},
}


def remembered(answer: dict) -> dict:
    return {"role": "assistant", "content": answer["content"]}


answer = {"role": "assistant", "content": "", "tool_calls": [CALL]}
messages = [
    {"role": "user", "content": "How is the weather in Rome?"},
    remembered(answer),
    {"role": "tool", "tool_call_id": "call_1", "content": "sunny"},
]
prompt = apply_chat_template(messages, thinking_mode="chat", add_generation_prompt=True)
print(len(prompt), "characters")
