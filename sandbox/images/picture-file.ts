/** Limits of LinkedIn for pictures, and for the frames of GIFs. */
const PIXEL_LIMIT = 36_152_320;
const FRAME_LIMIT = 250;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Detects the type by the file's signature. */
export function pictureType(bytes: Buffer): 'image/jpeg' | 'image/png' | 'image/gif' | null {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png';
  const start = bytes.subarray(0, 6).toString('latin1');
  return start === 'GIF87a' || start === 'GIF89a' ? 'image/gif' : null;
}

type Size = { width: number; height: number; frames: number };

/** Null unless the chunks include data and are complete up to IEND. The size is in the first chunk. */
function readPng(bytes: Buffer): Size | null {
  let offset = 8;
  let hasData = false;
  while (offset + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(offset);
    const name = bytes.toString('latin1', offset + 4, offset + 8);
    if (offset === 8 && (name !== 'IHDR' || length < 13)) return null;
    hasData ||= name === 'IDAT' && length > 0;
    if (name === 'IEND') {
      return hasData ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), frames: 1 } : null;
    }
    offset += 12 + length;
  }
  return null;
}

/** Null unless a frame header precedes the picture data, and an end marker follows it. */
function readJpeg(bytes: Buffer): Size | null {
  let offset = 2;
  let size: Size | null = null;
  while (offset + 4 <= bytes.length && bytes[offset] === 0xff) {
    const marker = bytes[offset + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && offset + 9 <= bytes.length) {
      size = { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7), frames: 1 };
    }
    if (marker === 0xda) return bytes.includes(Buffer.from([0xff, 0xd9]), offset) ? size : null;
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return null;
}

/** Null unless the blocks are complete up to the trailer. Each image block is a frame. */
function readGif(bytes: Buffer): Size | null {
  if (bytes.length < 14) return null;
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let offset = 13 + table(bytes[10] ?? 0);
  let frames = 0;
  while (offset < bytes.length) {
    const kind = bytes[offset];
    if (kind === 0x3b) {
      return frames > 0 ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), frames } : null;
    }
    if (kind === 0x2c) {
      frames += 1;
      offset += 11 + table(bytes[offset + 9] ?? 0);
    } else if (kind === 0x21) offset += 2;
    else return null;
    while (offset < bytes.length && bytes[offset] !== 0) offset += 1 + (bytes[offset] ?? 0);
    offset += 1;
  }
  return null;
}

const READERS = { 'image/png': readPng, 'image/jpeg': readJpeg, 'image/gif': readGif };

/** Null when the file is no complete picture. */
export function pictureSize(bytes: Buffer): Size | null {
  const type = pictureType(bytes);
  const size = type && READERS[type](bytes);
  return size && size.width > 0 && size.height > 0 ? size : null;
}

/** The reason why processing the picture fails, or null. */
export function pictureProblem(bytes: Buffer): string | null {
  const size = pictureSize(bytes);
  if (!size) return 'The file is not a whole picture';
  const { width, height, frames } = size;
  if (width * height >= PIXEL_LIMIT) return `${width} × ${height} pixels are too many`;
  return frames > FRAME_LIMIT ? `${frames} frames are too many` : null;
}
