"""Games as environments of other projects' interfaces: so far PettingZoo's, for research on playing them.

    from grognard.envs import env

    e = env("leningrad", seed=7)

It needs the extra `research` (pip install "grognard[research]").
"""

try:
    from grognard.envs.environment import TableEnv, env
    from grognard.envs.together import TogetherEnv, parallel_env
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] not in ("pettingzoo", "gymnasium", "numpy"):
        raise
    raise ModuleNotFoundError(
        f'{missing.name} is not installed; environments need: pip install "grognard[research]"',
        name=missing.name,
    ) from None

__all__ = ["TableEnv", "TogetherEnv", "env", "parallel_env"]
