/** Whether anything but space and comments follows a semicolon outside quotes. */
export function hasSecondStatement(text: string): boolean {
  const quoted =
    /'(?:[^'\\]|\\.|'')*'|`(?:[^`\\]|\\.|``)*`|"(?:[^"\\]|\\.|"")*"|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//g;
  const bare = text.replace(quoted, (piece) =>
    piece.startsWith('-') || piece.startsWith('#') || piece.startsWith('/') ? ' ' : "''",
  );
  return /;\s*[^\s;]/.test(bare);
}
