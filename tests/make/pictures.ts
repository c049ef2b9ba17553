import { pngOf } from '#sandbox/images/portrait.ts';

/** A whole PNG that says it has this size; its one row of data is all there is of it. */
export function png(width = 1, height = 1): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return pngOf(header, Buffer.alloc(2));
}

/** A whole GIF of one pixel with so many frames. */
export function gif(frames = 1): Buffer<ArrayBuffer> {
  const head = Buffer.from('R0lGODlhAQABAAAAAA==', 'base64');
  const frame = Buffer.from('2c00000000010001000002024c0100', 'hex');
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

/** The bones of a JPEG: a frame header with the size, a scan, the end. */
export function jpeg(width = 1, height = 1): Buffer<ArrayBuffer> {
  const frame = Buffer.from('ffc0000b080000000001011100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from('ffd8', 'hex'), frame, Buffer.from('ffda0008010100003f007fffd9', 'hex')]);
}
