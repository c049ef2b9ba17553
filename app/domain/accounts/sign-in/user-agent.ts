import Bowser from 'bowser';

const USER_AGENT_MAX = 300;
const DEVICE_MAX = 60;

/** "Chrome on Windows", or the name that a program sends; '' when there is none. */
export function deviceOf(userAgent: string): string {
  const text = userAgent.slice(0, USER_AGENT_MAX);
  if (!text.trim()) return '';
  const { browser, os } = Bowser.parse(text);
  const program = /^[\w.-]+/.exec(text)?.[0];
  const name = browser.name || program || '';
  const device = os.name && browser.name ? `${name} on ${os.name}` : name;
  return device.replace(/[^\x20-\x7e]/g, '').slice(0, DEVICE_MAX);
}
