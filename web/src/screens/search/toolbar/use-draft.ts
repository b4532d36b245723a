import { useEffect, useState } from 'react';
import { readPref, writePref } from '../../../view/prefs.ts';
import type { SearchModel } from '../model.ts';

const historyMax = 100;

/** The query as typed, which becomes the question when it is run. */
export interface Draft {
  text: string;
  setText(text: string): void;
  run(): void;
}

export function useDraft(model: SearchModel): Draft {
  const shown = model.params.q ?? '';
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const run = (): void => {
    remember(text);
    if (text === shown) {
      model.run();
    } else {
      model.ask({ q: text === '' ? undefined : text });
    }
  };
  return { text, setText, run };
}

function remember(text: string): void {
  if (text.trim() !== '') {
    const others = readPref('queryHistory').filter((one) => one !== text);
    writePref('queryHistory', [text, ...others].slice(0, historyMax));
  }
}
