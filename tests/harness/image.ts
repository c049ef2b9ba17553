import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { ROOT } from '#scripts/run.ts';

/** What an image is: a tree of files, the folder that its programs start in, and their environment. */
type Image = { tree: string; folder: string; env: Record<string, string>; command: string[] };

const words = (text: string) => text.trim().split(/\s+/);

/** The instructions of the Dockerfile, in order. */
function instructions(): [string, string][] {
  const text = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n');
  return lines.filter(Boolean).map((line) => [words(line)[0]!, line.slice(line.indexOf(' ') + 1).trim()]);
}

const ignored = new Set(readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean));
const isSent = (file: string) => !ignored.has(path.relative(ROOT, file));

const home = mkdtempSync(path.join(tmpdir(), 'tidepost-image-'));
after(() => rmSync(home, { recursive: true, force: true }));

/** Whose a file is, is the image's own business: who builds it here may not give files away. */
function programs(): string {
  const folder = path.join(home, 'programs');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'chown'), '#!/bin/sh\n');
  chmodSync(path.join(folder, 'chown'), 0o755);
  return [folder, path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
}

function copy(image: Image, source: string, names: string[], to: string) {
  for (const name of names) {
    const from = path.join(source, name);
    const into = statSync(from).isDirectory() ? to : path.join(to, path.basename(name));
    cpSync(from, path.resolve(image.folder, into), {
      recursive: true,
      filter: isSent,
      verbatimSymlinks: true,
    });
  }
}

/**
 * Builds the image that the Dockerfile describes, by doing what it says in folders of this machine, with its Node and
 * npm in place of the base image's. Throws what a step said that failed.
 */
export function buildImage(): Image {
  const stages = new Map<string, Image>();
  const PATH = programs();
  let image!: Image;
  const steps: Record<string, (text: string) => void> = {
    FROM: (text) => {
      const tree = mkdtempSync(path.join(home, 'stage-'));
      image = { tree, folder: tree, env: {}, command: [] };
      stages.set(words(text)[2] ?? 'last', image);
    },
    WORKDIR: (text) => {
      image.folder = path.join(image.tree, text);
      mkdirSync(image.folder, { recursive: true });
    },
    COPY: (text) => {
      const from = /--from=(\w+)/.exec(text)?.[1];
      const [to, ...names] = words(text.replaceAll(/--\S+/g, '')).reverse();
      copy(image, from ? stages.get(from)!.tree : ROOT, names.reverse(), to!);
    },
    ENV: (text) => {
      for (const [name, value] of words(text).map((each) => each.split('='))) image.env[name!] = value!;
    },
    RUN: (text) => {
      // A path of the image lies in its tree.
      const command = text.replaceAll(/(?<=\s)\/(?=\w)/g, `${image.tree}/`);
      const { NODE_ENV: _, NODE_COMPILE_CACHE: _cache, ...ours } = process.env;
      const env = { ...ours, ...image.env, PATH, npm_config_prefer_offline: 'true' };
      const ran = spawnSync('sh', ['-c', command], { cwd: image.folder, env, encoding: 'utf8' });
      if (ran.status !== 0) throw new Error(`RUN ${text}\n${ran.stdout}${ran.stderr}`);
    },
    CMD: (text) => {
      image.command = JSON.parse(text);
    },
    USER: () => {},
    EXPOSE: () => {},
  };
  for (const [name, text] of instructions()) steps[name]!(text);
  return image;
}
