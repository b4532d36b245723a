import { describe, expect, it } from 'vitest';
import { sampleWebhookEvent, WebhookEvent } from './webhook-event.ts';
import { renderTemplate, templateProblem } from './webhook-template.ts';

const named = (name: string): WebhookEvent => ({
  ...sampleWebhookEvent,
  data: { ...sampleWebhookEvent.data, alert: { ...sampleWebhookEvent.data.alert, name } },
});

describe('webhook templates', () => {
  it('the sample is an event', () => {
    expect(WebhookEvent.parse(sampleWebhookEvent)).toEqual(sampleWebhookEvent);
  });

  it('fills variables in: text inside quotes, JSON values outside', () => {
    const text = renderTemplate(
      '{"t": "{{ title }} / {{alert.name}}", "v": {{value}}, "max": {{thresholdMax}}, ' +
        '"g": {{groupValues}}, "n": "{{value}}", "s": {{state}}}',
      sampleWebhookEvent,
    );
    expect(JSON.parse(text)).toEqual({
      t: 'Test: Checkout errors is firing / Checkout errors',
      v: 12,
      max: null,
      g: ['checkout'],
      n: '12',
      s: 'firing',
    });
  });

  it.each([
    '"',
    '\\',
    '"}, "admin": true, "x": {"',
    'line\nbreak\u0000',
    '🙂 {{value}} {{',
    '\u2028',
  ])('a value cannot leave its place: %j', (name) => {
    expect(
      JSON.parse(renderTemplate('{"a": "<{{alert.name}}>", "b": {{alert.name}}}', named(name))),
    ).toEqual({ a: `<${name}>`, b: name });
  });

  it('knows a quote inside a string from the end of it', () => {
    expect(
      JSON.parse(renderTemplate('{"a": "say \\"{{alert.name}}\\" twice"}', sampleWebhookEvent)),
    ).toEqual({ a: 'say "Checkout errors" twice' });
  });

  it.each([
    ['{"a": "{{titel}}"}', /unknown variables: \{\{titel\}\}\. Known: id, type/],
    ['{"a": "{{__proto__}}"}', /unknown variables/],
    ['{"a": "{{constructor}}"}', /unknown variables/],
    ['{"a": "{{#if value}}x{{/if}}"}', /does not enclose a variable/],
    ['{"a": "{{title | upcase}}"}', /does not enclose a variable/],
    ['hello {{title}}', /must be valid JSON/],
    ['', /must be valid JSON/],
  ])('refuses %s', (template, problem) => {
    expect(templateProblem(template)).toMatch(problem);
  });

  it('accepts what it can fill in', () => {
    expect(
      templateProblem('{"text": "{{title}}: {{body}} {{link}}", "value": {{value}}}'),
    ).toBeUndefined();
  });
});
