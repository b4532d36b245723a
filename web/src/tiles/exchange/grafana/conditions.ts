import type { AttributeMap, Names } from './names.ts';
import type { LabelTest } from './promql.ts';

/** Names of Grafana's variables within a text: `$name`, `${name}`, `[[name]]`. */
const variable = /^(?:\$\w+|\$\{[^}]+\}|\[\[\w+\]\]|\.\*|\.\+)$/;

/** Tests of labels as a Lucene condition. Tests of variables are left to the filters. */
export function conditionOf(
  tests: readonly LabelTest[],
  map: AttributeMap,
  names: Names,
): { where: string; lost: LabelTest[] } {
  const parts: string[] = [];
  const lost: LabelTest[] = [];
  for (const test of tests) {
    if (variable.test(test.value)) {
      continue;
    }
    const values = valuesOf(test);
    if (!values) {
      lost.push(test);
      continue;
    }
    const field = names.field(test.label, map);
    const texts = values.map((value) => `${field}:${quoted(value)}`);
    const any = texts.length === 1 ? (texts[0] ?? '') : `(${texts.join(' OR ')})`;
    parts.push(test.op.startsWith('!') ? `NOT ${any}` : any);
  }
  return { where: parts.join(' AND '), lost };
}

/** The values that a test names; a pattern is one only if it lists words. */
function valuesOf({ op, value }: LabelTest): string[] | undefined {
  if (!op.endsWith('~')) {
    return [value];
  }
  const words = value.replace(/^\((.*)\)$/, '$1').split('|');
  return words.every((word) => /^[\w :/-]+$/.test(word)) ? words : undefined;
}

export const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
