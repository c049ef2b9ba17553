/**
 * What a browser is, as far as it says so: text of its User-Agent -> device, browser and system, each one of a few families, or
 * undefined for a robot. What was read is kept, since most visits come from the same few hundred texts; of texts never seen
 * before so many are read in a second, because anybody can send any.
 */
import Bowser from 'bowser';
import { isbot } from 'isbot';

export type Agent = { device: string; browser: string; system: string };

const MOST_READ = 300;
const MOST_KEPT = 2_000;
const OTHER = 'Other';
/** What is not read, for want of time. */
const UNREAD: Agent = { device: OTHER, browser: OTHER, system: OTHER };

const DEVICES: Record<string, string> = { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet', tv: 'TV' };
const BROWSERS: Record<string, string> = {
  Chrome: 'Chrome',
  Chromium: 'Chrome',
  Firefox: 'Firefox',
  Safari: 'Safari',
  Opera: 'Opera',
  'Microsoft Edge': 'Edge',
  'Internet Explorer': 'Internet Explorer',
  Vivaldi: 'Vivaldi',
  'Samsung Internet for Android': 'Samsung Internet',
  'Android Browser': 'Android Browser',
  'Yandex Browser': 'Yandex',
  'UC Browser': 'UC Browser',
  WeChat: 'WeChat',
  DuckDuckGo: 'DuckDuckGo',
};
const SYSTEMS: Record<string, string> = {
  Windows: 'Windows',
  macOS: 'macOS',
  iOS: 'iOS',
  Android: 'Android',
  Linux: 'Linux',
  'Chrome OS': 'Chrome OS',
};

const familyOf = (families: Record<string, string>, name = '') =>
  Object.hasOwn(families, name) ? families[name]! : OTHER;

function read(userAgent: string): Agent | undefined {
  if (!userAgent.trim() || isbot(userAgent)) return undefined;
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    device: familyOf(DEVICES, platform.type),
    browser: familyOf(BROWSERS, browser.name),
    system: familyOf(SYSTEMS, os.name),
  };
}

const parsed = new Map<string, Agent | undefined>();

/** @param budget How many texts that are not known may still be read; without one there is no bound. */
export function agentOf(userAgent: string, budget?: { left: number }): Agent | undefined {
  const text = userAgent.slice(0, MOST_READ);
  if (parsed.has(text)) return parsed.get(text);
  if (budget && --budget.left < 0) return UNREAD;
  if (parsed.size >= MOST_KEPT) parsed.clear();
  const agent = read(text);
  parsed.set(text, agent);
  return agent;
}
