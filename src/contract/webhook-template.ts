import { sampleWebhookEvent, type WebhookEvent } from './webhook-event.ts';

/**
 * A webhook's own body: JSON in which `{{variable}}` stands for a value of the event. Logic-less on purpose: no conditions, loops or filters, so
 * nothing a caller writes can run or grow without bound. Inside quotes a value is escaped as JSON text; outside it becomes a JSON value.
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

/** What is wrong with a template, in words; undefined where it is fine. */
export function templateProblem(template: string): string | undefined {
  const known = templateVariables(sampleWebhookEvent);
  const unknown = [
    ...new Set(
      pieces(template).flatMap(({ name }) => (name === undefined || known.has(name) ? [] : [name])),
    ),
  ];
  if (unknown.length > 0) {
    return `has unknown variables: ${unknown.map((name) => `{{${name}}}`).join(', ')}. Known: ${[...known.keys()].join(', ')}`;
  }
  if (
    /\{\{|\}\}/.test(
      pieces(template)
        .map((piece) => (piece.name === undefined ? piece.text : ''))
        .join(' '),
    )
  ) {
    return 'has {{ or }} that do not enclose a variable; there are no helpers, blocks or filters';
  }
  try {
    JSON.parse(renderTemplate(template, sampleWebhookEvent));
    return undefined;
  } catch {
    return 'must be JSON once its variables are filled in';
  }
}

type TemplateValue = string | number | null | string[];

/** Every variable by its name: the path inside the event, `data.` left out. */
export function templateVariables(event: WebhookEvent): Map<string, TemplateValue> {
  const found = new Map<string, TemplateValue>([
    ['id', event.id],
    ['type', event.type],
    ['timestamp', event.timestamp],
  ]);
  collect(event.data, '', found);
  found.set('link', event.data.links.alert);
  return found;
}

function collect(value: object, at: string, into: Map<string, TemplateValue>): void {
  for (const [key, inner] of Object.entries(value) as [string, TemplateValue | object][]) {
    const path = at === '' ? key : `${at}.${key}`;
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      collect(inner, path, into);
    } else {
      into.set(path, inner);
    }
  }
}

interface Piece {
  text: string;
  /** Set where the piece is a variable. */
  name?: string;
  /** Whether the variable stands inside a JSON string. */
  quoted: boolean;
}

/** One pass from left to right, which also knows whether it is inside a JSON string. */
function pieces(template: string): Piece[] {
  const found: Piece[] = [];
  let quoted = false;
  let at = 0;
  for (const match of template.matchAll(/\{\{\s*([A-Za-z_][\w.]*)\s*\}\}/g)) {
    const text = template.slice(at, match.index);
    found.push({ text, quoted });
    quoted = endsQuoted(text, quoted);
    found.push({ text: match[0], name: match[1]!, quoted });
    at = match.index + match[0].length;
  }
  found.push({ text: template.slice(at), quoted });
  return found;
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
