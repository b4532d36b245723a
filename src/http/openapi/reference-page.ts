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
table { border-collapse: collapse; width: 100%; }
td, th { border-bottom: 1px solid var(--line); padding: .25rem .5rem .25rem 0; text-align: left; }
td, th { vertical-align: top; }
`;

/** The content security policy of the page: its own style sheet, no script, no other origin. */
export const referencePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "frame-ancestors 'none'",
].join('; ');

/** A page to read an OpenAPI document with: plain HTML, no script, no outside network. */
export function referencePage({ info, servers, tags, paths, components }: OpenapiDocument): string {
  const base = servers[0]?.url ?? '';
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return [
      `<h2 id="${escape(name)}">${escape(name)}</h2>`,
      ...own.map(({ path, method, operation }) => operationHtml(base + path, method, operation)),
    ].join('');
  });
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    details(`schema-${name}`, code(name), json(schema)),
  );
  const links = tags.map(({ name }) => `<a href="#${escape(name)}">${escape(name)}</a>`);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escape(info.title)}</title><style>${style}</style></head><body>`,
    `<h1>${escape(info.title)}</h1><p>${escape(info.description)}</p>`,
    `<p>Base path ${code(base)}. Also available as `,
    `<a href="${escape(base)}/openapi.json">OpenAPI 3.1</a>.</p>`,
    `<nav>${links.join('')}<a href="#schemas">Schemas</a></nav>`,
    ...sections,
    `<h2 id="schemas">Schemas</h2>${schemas.join('')}</body></html>`,
  ].join('\n');
}

function operationHtml(path: string, method: string, operation: OpenapiOperation): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const heading = [
    `<span class="method">${escape(method.toUpperCase())}</span>${code(path)}`,
    `<span class="soft">${escape(summary)}</span>`,
  ];
  const answers = Object.entries(responses).map(([status, response]) =>
    row(code(status), responseHtml(response)),
  );
  const content = [
    description ? `<p>${escape(description)}</p>` : '',
    parameters.length > 0 ? `<h4>Parameters</h4>${table(parameters.map(parameterHtml))}` : '',
    requestBody ? `<h4>Body</h4>${contentHtml(requestBody)}` : '',
    `<h4>Responses</h4>${table(answers)}`,
  ];
  return details(operationId, heading.join(' '), content.join(''));
}

function parameterHtml({ name, in: place, required, description, schema }: JsonSchema): string {
  return row(
    code(String(name)),
    `${escape(String(place))}${required === true ? ', required' : ''}`,
    `${escape(String(description ?? ''))} ${linked(schema as JsonSchema)}`,
  );
}

const details = (id: string, summary: string, content: string): string =>
  `<details id="${escape(id)}"><summary>${summary}</summary>${content}</details>`;

const table = (rows: readonly string[]): string => `<table>${rows.join('')}</table>`;

const row = (...cells: readonly string[]): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

const code = (text: string): string => `<code>${escape(text)}</code>`;

function responseHtml(response: JsonSchema): string {
  const reference = response['$ref'];
  if (typeof reference !== 'string') {
    return contentHtml(response);
  }
  const faultCode = reference.slice(reference.lastIndexOf('/') + 1);
  return `${escape(faultCode.replaceAll('_', ' '))}, <a href="#schema-Error">Error</a>`;
}

function contentHtml({ content }: JsonSchema): string {
  const kinds = Object.entries(content as Record<string, Content>);
  return kinds
    .map(([mediaType, { schema, example }]) => {
      const name = mediaType === 'application/json' ? '' : `<p>${code(mediaType)}</p>`;
      const shown = example === undefined ? '' : `<p class="soft">Example</p>${json(example)}`;
      return name + linked(schema) + shown;
    })
    .join('');
}

interface Content {
  schema: JsonSchema;
  example?: unknown;
}

function linked(schema: JsonSchema): string {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') {
    return json(schema);
  }
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return `<a href="#schema-${escape(name)}">${escape(name)}</a>`;
}

function json(value: unknown): string {
  const text = escape(JSON.stringify(value, null, 2));
  const link = '<a href="#schema-$1">$1</a>';
  return `<pre>${text.replace(/#\/components\/schemas\/(\w+)/g, link)}</pre>`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char);
