export type CallApi = <T>(path: string, body?: object) => Promise<T>;

/**
 * Calls the open-source surface of a running program: GET, or POST with a body.
 * @returns the `data` of a response. The call throws an Error if it is refused
 */
export const openApi =
  (api: string, accessKey: string): CallApi =>
  async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${api}/api/v2/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${path}: ${response.status} ${text}`);
    }
    return (JSON.parse(text) as { data: T }).data;
  };
