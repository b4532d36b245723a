import type { FastifyInstance } from 'fastify';
import { jsonType } from './answer.ts';
import { openapiDocument } from './openapi/document.ts';
import { referencePage, referencePolicy } from './openapi/reference-page.ts';
import type { SurfaceDescription } from './surface.ts';

/**
 * The reference of a surface: `openapi.json`, and a page to read it with, made when first asked
 * for.
 */
export function docsRoutes(app: FastifyInstance, surface: SurfaceDescription): void {
  let document: string | undefined;
  let page: string | undefined;
  app.get(`${surface.basePath}/openapi.json`, (_request, reply) => {
    document ??= JSON.stringify(openapiDocument(surface));
    return reply.header('content-type', jsonType).send(document);
  });
  app.get(`${surface.basePath}/docs`, (_request, reply) => {
    page ??= referencePage(openapiDocument(surface));
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', referencePolicy)
      .send(page);
  });
}
