import { createHash } from 'node:crypto';
import type { JsonSchema } from '../surface.ts';
import type { OpenapiDocument, OpenapiOperation } from './document.ts';

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
nav a { margin-right: 1rem; } h2 { border-bottom: 1px solid var(--line); margin-top: 2.5rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); border-radius: 6px; overflow: auto; padding: .8rem; }
.method { display: inline-block; font-weight: 700; min-width: 4.2rem; } .soft { opacity: .7; }
table { border-collapse: collapse; width: 100%; } td, th { border-bottom: 1px solid var(--line); padding: .25rem .5rem .25rem 0; text-align: left; vertical-align: top; }
`;

/** The page's own policy: its one style sheet, no script, nothing from elsewhere. */
export const referencePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`;

/** A page to read an OpenAPI document with: plain HTML, no script, no outside network. */
export function referencePage({ info, servers, tags, paths, components }: OpenapiDocument): string {
  const base = servers[0]?.url ?? '';
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = tags.map(
    ({ name }) =>
      `<h2 id="${escape(name)}">${escape(name)}</h2>${operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => operationHtml(base + path, method, operation))
        .join('')}`,
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code></summary>${json(schema)}</details>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(info.title)}</title><style>${style}</style></head><body>
<h1>${escape(info.title)}</h1><p>${escape(info.description)}</p><p>Base path <code>${escape(base)}</code>. The same as <a href="${escape(base)}/openapi.json">OpenAPI 3.1</a>.</p>
<nav>${tags.map(({ name }) => `<a href="#${escape(name)}">${escape(name)}</a>`).join('')}<a href="#schemas">Schemas</a></nav>
${sections.join('\n')}<h2 id="schemas">Schemas</h2>${schemas.join('')}</body></html>`;
}

function operationHtml(path: string, method: string, operation: OpenapiOperation): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  return `<details id="${escape(operationId)}"><summary><span class="method">${escape(method.toUpperCase())}</span><code>${escape(path)}</code> <span class="soft">${escape(summary)}</span></summary>
${description ? `<p>${escape(description)}</p>` : ''}${parameters.length > 0 ? `<h4>Parameters</h4><table>${parameters.map(parameterHtml).join('')}</table>` : ''}
${requestBody ? `<h4>Body</h4>${contentHtml(requestBody)}` : ''}<h4>Answers</h4><table>${Object.entries(
    responses,
  )
    .map(
      ([status, response]) =>
        `<tr><td><code>${status}</code></td><td>${responseHtml(response)}</td></tr>`,
    )
    .join('')}</table></details>`;
}

function parameterHtml({ name, in: place, required, description, schema }: JsonSchema): string {
  return `<tr><td><code>${escape(String(name))}</code></td><td>${escape(String(place))}${required === true ? ', required' : ''}</td><td>${escape(String(description ?? ''))} ${linked(schema as JsonSchema)}</td></tr>`;
}

function responseHtml(response: JsonSchema): string {
  const code =
    typeof response['$ref'] === 'string'
      ? response['$ref'].slice(response['$ref'].lastIndexOf('/') + 1)
      : undefined;
  return code
    ? `${escape(code.replaceAll('_', ' '))}, <a href="#schema-Error">Error</a>`
    : contentHtml(response);
}

function contentHtml({ content }: JsonSchema): string {
  const { schema, example } = (
    content as { 'application/json': { schema: JsonSchema; example?: unknown } }
  )['application/json'];
  return `${linked(schema)}${example === undefined ? '' : `<p class="soft">For example</p>${json(example)}`}`;
}

function linked(schema: JsonSchema): string {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') {
    return json(schema);
  }
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return `<a href="#schema-${escape(name)}">${escape(name)}</a>`;
}

const json = (value: unknown): string =>
  `<pre>${escape(JSON.stringify(value, null, 2)).replace(/#\/components\/schemas\/(\w+)/g, '<a href="#schema-$1">$1</a>')}</pre>`;

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char]!);
