import type { FastifyInstance } from 'fastify';

/** The path `/` of the API port: leads to the web interface, or to the references of the surfaces. */
export function homeRoute(
  app: FastifyInstance,
  basePaths: readonly string[],
  interfaceUrl: ((hostname: string) => string) | undefined,
): void {
  app.get('/', (request, reply) => {
    if (interfaceUrl) {
      return reply.redirect(`${interfaceUrl(request.hostname)}/`, 302);
    }
    return reply.header('content-type', 'text/html; charset=utf-8').send(homePage(basePaths));
  });
}

function homePage(basePaths: readonly string[]): string {
  const links = basePaths.map((path) => `<li><a href="${path}/docs">${path}</a></li>`);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sightline API</title></head>',
    `<body><h1>Sightline API</h1><ul>${links.join('')}</ul></body></html>`,
    '',
  ].join('\n');
}
