/** The open-source surface of the server the demo runs on: the demo is a client like any other. */
export class OpenApi {
  readonly base: string;
  private readonly key: string;

  constructor(base: string, key: string) {
    this.base = base;
    this.key = key;
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>('GET', path);
  }

  /**
   * The object with this name: made from `body`, or left as it is when there is one from an earlier
   * start.
   */
  async ensure(path: string, body: { name?: string | null | undefined }): Promise<{ id: string }> {
    const existing = (await this.get<{ id: string; name: string }[]>(path)).find(
      ({ name }) => name === body.name,
    );
    return existing ?? this.call('POST', path, body);
  }

  put<T>(path: string, body: object): Promise<T> {
    return this.call<T>('PUT', path, body);
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: T; message?: string };
    if (!response.ok) {
      throw new Error(`${method} ${path} returned ${response.status}: ${answer.message}`);
    }
    return answer.data;
  }
}
