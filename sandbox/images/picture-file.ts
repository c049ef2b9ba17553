/** LinkedIn takes pictures of fewer pixels than this, and GIFs of at most 250 frames. */
const PIXEL_LIMIT = 36_152_320;
const FRAME_LIMIT = 250;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** The type by content: a JPEG, PNG or GIF signature, or null. */
export function pictureType(bytes: Buffer): 'image/jpeg' | 'image/png' | 'image/gif' | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png';
  const start = bytes.subarray(0, 6).toString('latin1');
  return start === 'GIF87a' || start === 'GIF89a' ? 'image/gif' : null;
}

type Size = { width: number; height: number; frames: number };

/** Chunks up to the end chunk, with data among them; the size stands in the first. */
function readPng(bytes: Buffer): Size | null {
  let at = 8;
  let hasData = false;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (at === 8 && (name !== 'IHDR' || length < 13)) return null;
    hasData ||= name === 'IDAT' && length > 0;
    if (name === 'IEND') {
      return hasData ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), frames: 1 } : null;
    }
    at += 12 + length;
  }
  return null;
}

/** Segments up to the picture data, with a frame header among them, and an end marker after them. */
function readJpeg(bytes: Buffer): Size | null {
  let at = 2;
  let size: Size | null = null;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && at + 9 <= bytes.length) {
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), frames: 1 };
    }
    if (marker === 0xda) return bytes.includes(Buffer.from([0xff, 0xd9]), at) ? size : null;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Blocks up to the trailer; each picture among them is a frame. */
function readGif(bytes: Buffer): Size | null {
  if (bytes.length < 14) return null;
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + table(bytes[10] ?? 0);
  let frames = 0;
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x3b) {
      return frames > 0 ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), frames } : null;
    }
    if (kind === 0x2c) {
      frames += 1;
      at += 11 + table(bytes[at + 9] ?? 0);
    } else if (kind === 0x21) at += 2;
    else return null;
    while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
    at += 1;
  }
  return null;
}

const READERS = { 'image/png': readPng, 'image/jpeg': readJpeg, 'image/gif': readGif };

/** How large a picture is, and of how many frames; null when it is not a whole one. */
export function pictureSize(bytes: Buffer): Size | null {
  const type = pictureType(bytes);
  const size = type && READERS[type](bytes);
  return size && size.width > 0 && size.height > 0 ? size : null;
}

/** Why the processing of a picture fails, or null when it goes well. */
export function pictureProblem(bytes: Buffer): string | null {
  const size = pictureSize(bytes);
  if (!size) return 'The file is not a whole picture';
  const { width, height, frames } = size;
  if (width * height >= PIXEL_LIMIT) return `${width} × ${height} pixels are too many`;
  return frames > FRAME_LIMIT ? `${frames} frames are too many` : null;
}
