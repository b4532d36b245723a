/**
 * Every mistake in the configuration at once. The message has a line for each and never a value of
 * a secret.
 */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'an error' : `${problems.length} errors`;
    const lines = problems.map((problem) => `  ${problem}`);
    super([`The configuration has ${count}:`, ...lines].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
