import Bowser from 'bowser';

const MOST_READ = 300;
const MOST_KEPT = 60;

/** What signs in, in short: "Chrome on Windows"; of a program the name that it gives itself. '' when it gives none. */
export function deviceOf(userAgent: string): string {
  const read = userAgent.slice(0, MOST_READ);
  if (!read.trim()) return '';
  const { browser, os } = Bowser.parse(read);
  const program = /^[\w.-]+/.exec(read)?.[0];
  const name = browser.name || program || '';
  const device = os.name && browser.name ? `${name} on ${os.name}` : name;
  return device.replace(/[^\x20-\x7e]/g, '').slice(0, MOST_KEPT);
}
