from mlx_lm.tool_parsers.mistral import parse_tool_call

ANSWER = 'get_weather[ARGS]{"city": "Rome"}'


def generate(max_tokens: int) -> str:
    return ANSWER[: 4 * max_tokens]


text = generate(max_tokens=64)
call = parse_tool_call(text)
print(call["name"], call["arguments"])
