import type { Page } from 'playwright-core';

/** Calls the server as the person of the page. Undefined if the response is empty. */
export function callServer<T>(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<T | undefined> {
  return page.evaluate(
    async ([verb, at, sent]) => {
      const response = await fetch(at, {
        method: verb,
        headers: { 'content-type': 'application/json', 'x-sightline': '1' },
        ...(sent !== undefined && { body: sent }),
      });
      const text = await response.text();
      if (!response.ok) {
        throw new Error(`${verb} ${at}: ${response.status} ${text}`);
      }
      return text === '' ? undefined : (JSON.parse(text) as T);
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );
}

/** Calls the open-source API as the person of the page. */
export async function callApi<T>(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  return (await callServer<{ data: T }>(page, method, `/api/v2${path}`, body))?.data as T;
}

/** Id of the first source of logs or traces. */
export async function sourceId(page: Page, kind: 'log' | 'trace'): Promise<string> {
  const sources = await callApi<{ id: string; kind: string }[]>(page, 'GET', '/sources');
  return sources.find((source) => source.kind === kind)?.id ?? '';
}

export const logSource = (page: Page): Promise<string> => sourceId(page, 'log');
