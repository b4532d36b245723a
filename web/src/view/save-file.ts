/** A place for a file that comes in pieces. */
export interface FileSink {
  write(piece: Uint8Array): Promise<void>;
  /** The file is whole. */
  close(): Promise<void>;
  /** The file is not whole: nothing is kept. */
  abort(): Promise<void>;
}

/** What a browser without a file picker holds of a file, in bytes. */
export const heldBytesMax = 512 * 1024 * 1024;

/** A file larger than the browser can hold. */
export class FileTooLarge extends Error {
  constructor() {
    super('the file is larger than this browser can hold (512 MB)');
    this.name = 'FileTooLarge';
  }
}

interface WritableFile {
  write(piece: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}
interface PickingWindow {
  showSaveFilePicker?(options: {
    suggestedName: string;
  }): Promise<{ createWritable(): Promise<WritableFile> }>;
}

/**
 * Where to save a file. The browser asks for a place and writes each piece to the disk. A browser
 * that cannot (or a page that is not secure) holds the file until it is whole. Undefined: the person
 * chose no place. Call it in the handler of a click.
 */
export async function openSink(name: string, mediaType: string): Promise<FileSink | undefined> {
  const { showSaveFilePicker: pick } = window as PickingWindow;
  if (!pick) {
    return heldFile(name, mediaType);
  }
  try {
    const file = await pick.call(window, { suggestedName: name });
    return await file.createWritable();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') {
      return undefined;
    }
    return heldFile(name, mediaType);
  }
}

function heldFile(name: string, mediaType: string): FileSink {
  // A copy that the browser may keep outside of the page's memory.
  let pieces: BlobPart[] = [];
  let bytes = 0;
  return {
    async write(piece) {
      bytes += piece.byteLength;
      if (bytes > heldBytesMax) {
        throw new FileTooLarge();
      }
      pieces.push(piece as BlobPart);
      if (pieces.length > 500) {
        pieces = [new Blob(pieces)];
      }
    },
    async close() {
      const url = URL.createObjectURL(new Blob(pieces, { type: mediaType }));
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
    async abort() {
      pieces = [];
    },
  };
}

/** Letters and digits of a text, for a name of a file. */
export const fileWords = (text: string): string =>
  (text.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? ['rows']).join('-').slice(0, 60);

/** Saves a text that is whole already. */
export async function saveText(name: string, text: string): Promise<void> {
  const sink = await openSink(name, 'application/json');
  await sink?.write(new TextEncoder().encode(text));
  await sink?.close();
}
