import type { Value } from '../../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { emitKeys, emitRows } from '../../query/emit/emit-rows.ts';
import {
  emitCondition,
  emitExpression,
  emitRange,
  joined,
  type Condition,
  type Operand,
} from '../../query/index.ts';
import { TimeSlice } from '../../../ports/time-slice.ts';
import { emptyAnswer, groupsMax, tooManyGroups, type Answer } from '../decide/readings.ts';
import type { Window } from '../decide/schedule.ts';
import type { ShapedQuestion } from './compiled-question.ts';
import { countedMeasures, valueReading } from './row-readings.ts';
import { equalTo, valueOf, type Shape, type SimpleScan } from './shapes.ts';

/** Maximum rows of one scan. If a scan returns more, its alerts are split over two scans. */
const rowsMax = 100_000;

/**
 * One scan for alerts of one shape. The text of the keys and the alerts of each key are the same in
 * every window and computed once. A key that all alerts share is a plain condition.
 */
export class SharedScan {
  readonly members: readonly ShapedQuestion[];
  readonly #shape: Shape;
  readonly #varying: readonly number[];
  readonly #scan: SimpleScan;
  readonly #among: readonly Sql[];
  /** Indexes in `members`, by the keys of a returned row. */
  readonly #places = new Map<string, number | number[]>();
  #prepared: Promise<void> | undefined;
  readonly #words: readonly string[] | undefined;
  readonly #limit: number;

  /** Database of the workspace of every member. */
  get tenant(): string {
    return this.#shape.plan.tenant;
  }

  constructor(members: readonly ShapedQuestion[]) {
    const [first] = members;
    if (first === undefined) {
      throw new RangeError('a shared scan has at least one alert');
    }
    const { shape } = first.shaped;
    this.members = members;
    this.#shape = shape;
    this.#varying = shape.operands.flatMap((_, index) =>
      members.some(({ shaped }) => shaped.values[index] !== first.shaped.values[index])
        ? [index]
        : [],
    );
    this.#scan = this.#scanFor(first);
    this.#among = this.#varying.flatMap((index) => {
      const operand = shape.operands[index];
      return operand
        ? [oneOf(operand, distinct(members.map((one) => valueOf(one.shaped, index))))]
        : [];
    });
    this.#words = shape.wordOperand && distinct(members.flatMap(({ shaped }) => shaped.word ?? []));
    this.#limit = Math.min(members.length * groupsMax, rowsMax);
  }

  /**
   * Sorts the alerts by their keys, once. Call it while the engine scans; `answers` needs it. With
   * ten thousand alerts this takes milliseconds, so it yields to other work.
   */
  prepare(): Promise<void> {
    this.#prepared ??= this.#sortMembers();
    return this.#prepared;
  }

  async #sortMembers(): Promise<void> {
    const slice = new TimeSlice();
    // The statement was built in this turn of the event loop.
    await slice.yieldToOthers();
    for (const [place, member] of this.members.entries()) {
      if (slice.expired) {
        await slice.yieldToOthers();
      }
      this.#put(keyOf(this.#keysOf(member)), place);
    }
  }

  /** The query for one window. */
  statement(window: Window): Sql {
    const range = { fromMs: window.startMs, toMs: window.endMs };
    if (this.#words && this.#shape.wordOperand) {
      return this.#wordStatement(this.#shape.wordOperand, this.#words, range);
    }
    return emitRows(
      { ...this.#scan, measures: countedMeasures('rows', this.#scan.measures, 1) },
      range,
      this.#limit,
      this.#among,
    );
  }

  /**
   * The answers of the alerts, from the rows of the scan.
   *
   * @throws RangeError if there are too many rows for one scan.
   */
  answers(rows: readonly Value[][]): Answer[] {
    if (rows.length > this.#limit) {
      throw new RangeError('too many groups for one scan');
    }
    const answers: Answer[] = this.members.map(({ groupBy }) => emptyAnswer(groupBy));
    const keyCount = this.#varying.length + (this.#words ? 1 : 0);
    for (const row of rows) {
      const places = this.#places.get(
        keyCount === 1 ? (row[0] as string) : keyOf(row.slice(0, keyCount) as string[]),
      );
      if (places === undefined) {
        continue;
      }
      if (typeof places === 'number') {
        this.#add(answers, places, row, keyCount);
      } else {
        for (const place of places) {
          this.#add(answers, place, row, keyCount);
        }
      }
    }
    return answers;
  }

  #add(answers: Answer[], place: number, row: readonly Value[], keyCount: number): void {
    const groupCount = this.#shape.scan.groups.length;
    const reading = valueReading(this.#scan.measures[0], row, keyCount + groupCount);
    if (groupCount === 0) {
      answers[place] = reading;
      return;
    }
    const before = answers[place];
    if (before?.kind !== 'groups') {
      return;
    }
    if (before.readings.size >= groupsMax) {
      answers[place] = tooManyGroups;
    } else {
      before.readings.set(JSON.stringify(row.slice(keyCount, keyCount + groupCount)), reading);
    }
  }

  #scanFor({ shaped }: ShapedQuestion): SimpleScan {
    const { scan, operands } = this.#shape;
    const same = operands.flatMap((operand, index) =>
      this.#varying.includes(index) ? [] : [equalTo(operand, valueOf(shaped, index))],
    );
    const [measure] = scan.measures;
    return {
      ...scan,
      groups: [...this.#varying.flatMap((index) => operands[index] ?? []), ...scan.groups],
      measures: [{ ...measure, condition: joined('and', [measure.condition, ...same]) }],
    };
  }

  #keysOf({ shaped }: ShapedQuestion): string[] {
    const keys = this.#varying.map((index) => valueOf(shaped, index));
    return shaped.word === undefined ? keys : [...keys, shaped.word];
  }

  #put(key: string, place: number): void {
    const known = this.#places.get(key);
    if (known === undefined) {
      this.#places.set(key, place);
    } else if (typeof known === 'number') {
      this.#places.set(key, [known, place]);
    } else {
      known.push(place);
    }
  }

  /**
   * Counts rows by the words they contain, in one pass for any number of words. The cheap conditions
   * come first, because most rows contain none of the words.
   */
  #wordStatement(
    operand: Operand,
    words: readonly string[],
    range: { fromMs: number; toMs: number },
  ): Sql {
    const scan = this.#scan;
    const text = sql`lower(${emitExpression(operand.expression)})`;
    const wanted = join(words.map(literal), ', ');
    const { select } = emitKeys(scan, range);
    const keys = select.map((_, index) => identifier(`__group_${index}`));
    const [before, after] = [keys.slice(0, this.#varying.length), keys.slice(this.#varying.length)];
    const contained =
      words.length <= fewMax ? searchedWords(text, words, wanted) : tokenWords(text, wanted);
    const word = sql`arrayJoin(${contained}) AS ${wordColumn}`;
    const where = join(
      [
        emitRange(scan.time, range),
        ...conditions(scan.measures[0].condition),
        ...this.#among,
        ...holdingAny(text, words, wanted),
      ],
      ' AND ',
    );
    const table = qualified(scan.table.database, scan.table.name);
    const rows = sql`SELECT ${join([...select, word], ', ')} FROM ${table} WHERE ${where}`;
    const columns = join([...before, wordColumn, ...after], ', ');
    return sql`SELECT ${columns}, toFloat64(count()) FROM (${rows}) GROUP BY ${columns} LIMIT ${this.#limit + 1}`;
  }
}

/**
 * Up to this many words, a search for each word in every row costs less than the engine's search
 * for any of them, which splits every row into tokens.
 */
const eachMax = 16;
/**
 * Up to this many words, each word is searched on its own in a row that contains one of them: this
 * costs no more than splitting the row into tokens, and far less if many rows match. Up to this many
 * words, the token index is used for each of them; with more, hardly any part of a table can be
 * skipped.
 */
const fewMax = 32;

/**
 * Rows that contain one of the words. The search for any of them does not use the index by itself;
 * an index hint uses it, and is true of every row.
 */
function holdingAny(text: Sql, words: readonly string[], wanted: Sql): Sql[] {
  const each = (): Sql =>
    join(
      words.map((word) => sql`hasToken(${text}, ${word})`),
      ' OR ',
    );
  if (words.length <= eachMax) {
    return [sql`(${each()})`];
  }
  return [
    ...(words.length <= fewMax ? [sql`indexHint(${each()})`] : []),
    sql`hasAnyTokens(${text}, [${wanted}])`,
  ];
}

/** The words that a row contains, by one search for each word. */
function searchedWords(text: Sql, words: readonly string[], wanted: Sql): Sql {
  return sql`arrayFilter((word, here) -> here, [${wanted}], [${join(
    words.map((word) => sql`hasToken(${text}, ${word})`),
    ', ',
  )}])`;
}

/** The words that a row contains, by splitting the row into the engine's tokens once. */
function tokenWords(text: Sql, wanted: Sql): Sql {
  return sql`arrayDistinct(arrayFilter(word -> word IN (${wanted}), tokens(${text})))`;
}

const wordColumn = identifier('__word');

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

const conditions = (condition: Condition): Sql[] =>
  condition.kind === 'all' ? [] : [emitCondition(condition)];

/** One text for a list of keys. Each key has its length before it, so that no two lists collide. */
function keyOf(parts: readonly string[]): string {
  const [only] = parts;
  return only !== undefined && parts.length === 1
    ? only
    : parts.map((part) => `${part.length} ${part}`).join('');
}

/** From this many values on: the engine splits one long text faster than it parses literals. */
const worthJoining = 16;
const separators = [',', '|', '\n', '\u001f'];

function oneOf({ expression, type }: Operand, values: readonly string[]): Sql {
  const column = emitExpression(expression);
  if (type.base === 'number') {
    return sql`(${column} IN (${join(
      values.map((value) => literal(BigInt(value))),
      ', ',
    )}))`;
  }
  const separator =
    type.anyText === true && values.length >= worthJoining
      ? separators.find((one) => !values.some((value) => value.includes(one)))
      : undefined;
  if (separator === undefined) {
    return sql`(${column} IN (${join(values.map(literal), ', ')}))`;
  }
  return sql`(${column} IN splitByChar(${separator}, ${values.join(separator)}))`;
}
