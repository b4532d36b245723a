import { settings } from '../src/config.ts';

/** docs/config.md from the table of settings. */
export function configPage(): string {
  const rows = Object.entries(settings).map(([name, value]) => ({
    name,
    ...(value as { group: string; meaning: string; fallback?: string; secret?: boolean }),
  }));
  const groups = [...new Set(rows.map((row) => row.group))];
  const sections = groups.map((group) =>
    [
      `## ${group}`,
      '',
      '| Variable | Default | Meaning |',
      '|---|---|---|',
      ...rows
        .filter((row) => row.group === group)
        .map(
          (row) =>
            `| \`${row.name}\` | ${row.fallback === undefined ? 'unset' : row.fallback === '' ? 'none' : `\`${row.fallback}\``} | ${row.meaning}${row.secret ? ' Secret: never printed.' : ''} |`,
        ),
    ].join('\n'),
  );
  return [
    '# Configuration',
    '',
    'Generated from `src/config.ts` by `npm run generate`.',
    '',
    'Settings are environment variables, or lines of the file that `SIGHTLINE_CONFIG_FILE` names. They are checked at start: every mistake is printed, and the process exits with code 2. `sightline doctor` checks them without starting.',
    '',
    ...sections.flatMap((section) => [section, '']),
  ].join('\n');
}
