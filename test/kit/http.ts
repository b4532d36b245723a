/** One answer, read to its end. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; throws where it is none. */
  json: JsonAnswer;
}

/** Whatever JSON came: tests look into it freely and would fail on what is not there. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- test answers are inspected, not typed
export type JsonAnswer = any; // oxlint-disable-line typescript/no-explicit-any

export interface HttpCall {
  headers?: Record<string, string>;
  /** An object is sent as JSON; text and bytes as they are. */
  body?: unknown;
  signal?: AbortSignal;
}

export async function http(
  method: string,
  url: string,
  { headers = {}, body, signal }: HttpCall = {},
): Promise<HttpAnswer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text) as JsonAnswer;
    },
  };
}
