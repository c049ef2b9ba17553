/** Baseline: a page of a given size from memory, by node:http alone. */
import { createServer } from 'node:http';

const [port, bytes] = process.argv.slice(2).map(Number);
const page = Buffer.from('<!DOCTYPE html>'.padEnd(bytes ?? 0, '.'));

createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': page.length });
  response.end(page);
}).listen(port, '127.0.0.1', () => console.log('bare server ready'));

process.on('disconnect', () => process.exit());
