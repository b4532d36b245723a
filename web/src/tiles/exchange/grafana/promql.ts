/** A query of Prometheus as far as it is one metric, one aggregate and tests of labels. */
export interface MetricQuery {
  metric: string;
  labels: LabelTest[];
  /** `sum` for counters, as `rate` and `increase` read them. */
  isCounter: boolean;
  aggregate: 'avg' | 'sum' | 'min' | 'max' | 'quantile' | 'count';
  /** Quantile of a histogram, 0 to 1. */
  level?: number;
  groupBy: string[];
}

export interface LabelTest {
  label: string;
  op: '=' | '!=' | '=~' | '!~';
  value: string;
}

/** Two queries of which the panel shows the ratio, and whether it shows percent. */
export interface MetricRatio {
  parts: [MetricQuery, MetricQuery];
  isPercent: boolean;
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const selector = new RegExp(`^(${name})\\s*(?:\\{(.*)\\})?$`, 's');
/** `max_over_time(…[5m])` is what each bucket computes anyway. */
const overTimeCall = /^(avg|sum|min|max)_over_time\s*\((.*)\[[^\]]+\]\s*\)$/s;
const counterCall = /^(?:rate|irate|increase)\s*\((.*)\[[^\]]+\]\s*\)$/s;
const quantileCall = /^histogram_quantile\s*\(\s*([0-9.]+)\s*,(.*)\)$/s;
/** `sum(…) by (…)`, and `sum by (…) (…)` or `sum(…)`. */
const groupsLast = /^(sum|avg|min|max)\s*\((?<inside>.*)\)\s*by\s*\((?<groups>[^()]*)\)$/s;
const groupsFirst = /^(sum|avg|min|max)\s*(?:by\s*\((?<groups>[^()]*)\)\s*)?\((?<inside>.*)\)$/s;

/** Undefined: the query says more than a tile can. */
export function readPromql(text: string): MetricQuery | undefined {
  const query = text.trim();
  const quantile = quantileCall.exec(query);
  if (quantile) {
    const inner = readPromql(quantile[2] ?? '');
    const level = Number(quantile[1]);
    return inner?.metric.endsWith('_bucket') && level >= 0 && level <= 1
      ? {
          ...inner,
          metric: inner.metric.replace(/_bucket$/, ''),
          aggregate: 'quantile',
          isCounter: false,
          level,
          groupBy: inner.groupBy.filter((label) => label !== 'le'),
        }
      : undefined;
  }
  const aggregate = groupsLast.exec(query) ?? groupsFirst.exec(query);
  if (aggregate) {
    const { inside = '', groups = '' } = aggregate.groups ?? {};
    const inner = readPlain(inside.trim());
    const groupBy = groups.split(',').map((label) => label.trim());
    const kind = aggregate[1] as 'sum' | 'avg' | 'min' | 'max';
    return inner && { ...inner, aggregate: kind, groupBy: groupBy.filter(Boolean) };
  }
  return readPlain(query);
}

const percentFirst = /^100\s*\*\s*(.*)$/s;
const percentLast = /^(.*?)\s*\*\s*100$/s;

/** `sum(a) / sum(b)`, also times 100: both grouped alike. */
export function readRatio(text: string): MetricRatio | undefined {
  const whole = text.trim();
  const scaled = percentFirst.exec(whole)?.[1] ?? percentLast.exec(whole)?.[1];
  const [left, right, ...more] = dividedAt(unwrapped(scaled ?? whole));
  const [above, below] = [left, right].map((part) => readPromql(unwrapped(part ?? '')));
  return above && below && more.length === 0 && above.groupBy.join() === below.groupBy.join()
    ? { parts: [above, below], isPercent: scaled !== undefined }
    : undefined;
}

/** The text without parentheses around all of it. */
function unwrapped(text: string): string {
  const inside = /^\((.*)\)$/s.exec(text.trim())?.[1];
  return inside !== undefined && depths(inside).every((depth) => depth >= 0)
    ? unwrapped(inside)
    : text.trim();
}

/** The text cut at each `/` outside of parentheses, braces and quotes. */
function dividedAt(text: string): string[] {
  const inside = depths(text);
  const cuts = [...text.matchAll(/\//g)].map(({ index }) => index).filter((at) => inside[at] === 0);
  return [-1, ...cuts].map((cut, index) => text.slice(cut + 1, cuts[index] ?? text.length));
}

/** How deep each character stands in parentheses, braces and quotes. */
function depths(text: string): number[] {
  const found: number[] = [];
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '"' && text[index - 1] !== '\\') {
      isQuoted = !isQuoted;
    } else if (!isQuoted) {
      depth += Number('([{'.includes(char)) - Number(')]}'.includes(char));
    }
    found.push(isQuoted ? depth + 1 : depth);
  }
  return found;
}

function readPlain(query: string): MetricQuery | undefined {
  const counter = counterCall.exec(query);
  const overTime = overTimeCall.exec(query);
  const match = selector.exec((counter?.[1] ?? overTime?.[2] ?? query).trim());
  const labels = match && readLabels(match[2] ?? '');
  if (!match?.[1] || !labels) {
    return undefined;
  }
  const isCounter = counter !== null;
  return {
    metric: match[1],
    labels,
    isCounter,
    aggregate: isCounter ? 'sum' : ((overTime?.[1] as MetricQuery['aggregate']) ?? 'avg'),
    groupBy: [],
  };
}

const labelTest = /\s*([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*(,|$)/y;

/** Tests between braces, or undefined if there is anything else. */
export function readLabels(text: string): LabelTest[] | undefined {
  const tests: LabelTest[] = [];
  const rest = text.trim();
  labelTest.lastIndex = 0;
  while (labelTest.lastIndex < rest.length) {
    const match = labelTest.exec(rest);
    if (!match) {
      return undefined;
    }
    const [, label = '', op, value = ''] = match;
    tests.push({ label, op: op as LabelTest['op'], value: value.replaceAll(/\\(.)/g, '$1') });
  }
  return tests;
}
