/**
 * What the engine, or whatever stands in front of it, answers to a statement that it refuses. The
 * message is `Code: 60. DB::Exception: Unknown table. (UNKNOWN_TABLE)`, without the version that the
 * engine adds. An engine that passes on the error of another one puts its own head before that one's:
 * then the code is the first, and the text the last.
 */
export class EngineFailure extends Error {
  /** ClickHouse's number of the error. Undefined: it was not the engine that answered. */
  readonly code: number | undefined;

  constructor(answer: string) {
    const [own = ''] = answer.split(/ \(version \d+\./, 1);
    const heads = [...own.matchAll(/Code: (\d+)\. DB::[\w:]*Exception: /g)];
    const last = heads.at(-1);
    const code = heads[0]?.[1] ?? /Code: (\d+)[.,]/.exec(own)?.[1];
    super(
      last
        ? `Code: ${code}. DB::Exception: ${own.slice(last.index + last[0].length).trim()}`
        : answer.trim(),
    );
    this.name = 'EngineFailure';
    this.code = code === undefined ? undefined : Number(code);
  }
}
