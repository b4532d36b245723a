/** Items of a comma-separated list; commas in parentheses and quotes separate nothing. */
export function splitList(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let quote = '';
  let item = '';
  for (const char of text) {
    if (quote !== '') {
      quote = char === quote ? '' : quote;
    } else if (/['"`]/.test(char)) {
      quote = char;
    } else if (/[([]/.test(char)) {
      depth += 1;
    } else if (/[)\]]/.test(char)) {
      depth -= 1;
    }
    if (char === ',' && depth === 0 && quote === '') {
      items.push(item.trim());
      item = '';
    } else {
      item += char;
    }
  }
  return [...items, item.trim()].filter((one) => one !== '');
}
