/** Choices of a listbox, in the order of the words. */
export const choicesOf = <T extends string>(
  words: Readonly<Record<T, string>>,
): { value: T; label: string }[] =>
  (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }));
