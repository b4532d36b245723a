/** Chromium, Firefox, Safari, and Vite for the styles of a part. */
const messages =
  /^(?:failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|unable to preload css)/i;

/**
 * Whether an error says that a part of the interface could not be loaded: the network is cut, or the
 * server was upgraded since the page was opened, and no longer has the file.
 */
export const isMissingCode = (error: unknown): boolean =>
  error instanceof Error && messages.test(error.message);
