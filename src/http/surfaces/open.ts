import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from '../../contract/webhook.ts';
import { faultCodes } from '../../contract/errors.ts';
import type { Authenticator } from '../auth/bearer.ts';
import type { Route, Surface, SurfaceDescription, VerbsOf } from '../surface.ts';

export const openRoutes = [
  ['GET', '/webhooks', listWebhooks],
  ['POST', '/webhooks', createWebhook],
  ['GET', '/webhooks/{id}', getWebhook],
  ['PUT', '/webhooks/{id}', updateWebhook],
  ['DELETE', '/webhooks/{id}', deleteWebhook],
] as const satisfies readonly Route[];

/** The open-source deployment, described: what its reference is made of. */
export const openDescription: SurfaceDescription = {
  name: 'open-source',
  title: 'Sightline API',
  description: 'Dashboards, alerts, charts, searches and data sources of a team. Authenticate with a personal API access key: `Authorization: Bearer <key>`.',
  basePath: '/api/v2',
  routes: openRoutes,
  security: { name: 'accessKey', scheme: { type: 'http', scheme: 'bearer', description: 'Personal API access key of a user' } },

  successSchema(result, isList) {
    if (!result) return { type: 'object', maxProperties: 0 };
    const count = { type: 'integer', minimum: 0 };
    const meta = { type: 'object', properties: { total: count, limit: count, offset: count }, required: ['total', 'limit', 'offset'] };
    return { type: 'object', properties: { data: result, ...(isList && { meta }) }, required: isList ? ['data', 'meta'] : ['data'] };
  },

  errorSchema: {
    type: 'object',
    properties: {
      message: { type: 'string' },
      code: { enum: Object.keys(faultCodes) },
      requestId: { type: 'string', format: 'uuid' },
      errors: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } }, required: ['path', 'message'] } },
      error: { type: 'string', description: 'The message again, under /charts only' },
    },
    required: ['message', 'code', 'requestId'],
  },
};

export interface OpenSurfaceOptions {
  verbs: VerbsOf<typeof openRoutes>;
  authenticator: Pick<Authenticator, 'authenticate'>;
}

/** `/api/v2`: personal access keys, `{data}` around results, unknown properties ignored. */
export function openSurface({ verbs, authenticator }: OpenSurfaceOptions): Surface {
  return {
    ...openDescription,
    verbs: { ...verbs },
    unknownProperties: 'ignore',
    challenge: 'Bearer realm="sightline"',
    authenticate: (incoming) => authenticator.authenticate(incoming),
    ok: ({ value, page }) => (value === undefined ? {} : page ? { data: value, meta: page } : { data: value }),
    error: ({ message, code, issues }, { requestId, path }) => ({
      message, code, requestId, ...(issues && { errors: issues }), ...(path.startsWith('/api/v2/charts') && { error: message }),
    }),
  };
}
