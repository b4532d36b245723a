import { sampleWebhookEvent, type WebhookEvent } from './webhook-event.ts';

/**
 * A webhook's own body: JSON with `{{variable}}` placeholders for values of the event. It has no
 * conditions, loops or filters, so caller text cannot run or grow without bound. Inside quotes a
 * value is escaped as JSON text; outside quotes it becomes a JSON value.
 */
export function renderTemplate(template: string, event: WebhookEvent): string {
  const values = templateVariables(event);
  return pieces(template)
    .map((piece) => {
      if (piece.name === undefined) {
        return piece.text;
      }
      const json = JSON.stringify(values.get(piece.name) ?? null);
      if (!piece.quoted) {
        return json;
      }
      return json.startsWith('"') ? json.slice(1, -1) : JSON.stringify(json).slice(1, -1);
    })
    .join('');
}

/** The problem of a template as text, or undefined if it is valid. */
export function templateProblem(template: string): string | undefined {
  const known = templateVariables(sampleWebhookEvent);
  const unknown = [
    ...new Set(
      pieces(template).flatMap(({ name }) => (name === undefined || known.has(name) ? [] : [name])),
    ),
  ];
  if (unknown.length > 0) {
    const unknownNames = unknown.map((name) => `{{${name}}}`).join(', ');
    return `has unknown variables: ${unknownNames}. Known: ${[...known.keys()].join(', ')}`;
  }
  if (
    /\{\{|\}\}/.test(
      pieces(template)
        .map((piece) => (piece.name === undefined ? piece.text : ''))
        .join(' '),
    )
  ) {
    return 'contains {{ or }} that does not enclose a variable; helpers, blocks and filters are not supported';
  }
  try {
    JSON.parse(renderTemplate(template, sampleWebhookEvent));
    return undefined;
  } catch {
    return 'must be valid JSON after its variables are replaced';
  }
}

type TemplateValue = string | number | null | string[];

/** Every variable by its name, which is its path in the event without `data.`. */
export function templateVariables(event: WebhookEvent): Map<string, TemplateValue> {
  const variables = new Map<string, TemplateValue>([
    ['id', event.id],
    ['type', event.type],
    ['timestamp', event.timestamp],
  ]);
  collect(event.data, '', variables);
  variables.set('link', event.data.links.alert);
  return variables;
}

function collect(value: object, parent: string, into: Map<string, TemplateValue>): void {
  for (const [key, inner] of Object.entries(value) as [string, TemplateValue | object][]) {
    const path = parent === '' ? key : `${parent}.${key}`;
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      collect(inner, path, into);
    } else {
      into.set(path, inner);
    }
  }
}

interface Piece {
  text: string;
  /** The name of the variable; absent for plain text. */
  name?: string;
  /** Whether the piece is inside a JSON string. */
  quoted: boolean;
}

/** Splits a template in one pass and tracks whether it is inside a JSON string. */
function pieces(template: string): Piece[] {
  const result: Piece[] = [];
  let quoted = false;
  let offset = 0;
  for (const match of template.matchAll(/\{\{\s*([A-Za-z_][\w.]*)\s*\}\}/g)) {
    const [whole, name = ''] = match;
    const text = template.slice(offset, match.index);
    result.push({ text, quoted });
    quoted = endsQuoted(text, quoted);
    result.push({ text: whole, name, quoted });
    offset = match.index + whole.length;
  }
  result.push({ text: template.slice(offset), quoted });
  return result;
}

function endsQuoted(text: string, quoted: boolean): boolean {
  let inside = quoted;
  for (let index = 0; index < text.length; index++) {
    if (inside && text[index] === '\\') {
      index++;
    } else if (text[index] === '"') {
      inside = !inside;
    }
  }
  return inside;
}
