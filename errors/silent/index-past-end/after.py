import mlx.core as mx


readings = mx.arange(1.0, 15.0)
weeks = [readings[:7], readings[7:]]
mx.eval(readings, weeks)


def day(week, number):
    return week[number - 1].item()


sunday = day(weeks[0], number=7)
print("Sunday of the first week", sunday)
print("Monday of the second week", weeks[1][0].item())
