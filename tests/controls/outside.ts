import type { Control } from './control.ts';

const GUARD = 'app/integrations/address-guard.ts';
const PICTURES = 'app/integrations/image-guard.ts';
const IMAGE_TEST = 'tests/integrations/image-guard.test.ts';
const WEBHOOKS = 'app/domain/webhooks';
const WEBHOOK_TEST = 'tests/domain/webhooks.test.ts';

/** What leaves us: to addresses that people name, to their programs, to mailboxes, to the log. */
export const OUTSIDE_CONTROLS: Control[] = [
  {
    what: 'private addresses are public',
    file: GUARD,
    from: `  if (parsed.range() !== 'unicast') return false;\n`,
    to: '',
    noticedBy: { test: IMAGE_TEST, named: 'only addresses of the public internet' },
  },
  {
    what: 'an address that is written as a number is not checked',
    file: GUARD,
    from: `  if (ipaddr.isValid(literal) && !rules.isAllowed(literal)) throw new AddressRefused('not_public');\n`,
    to: '',
    noticedBy: { test: IMAGE_TEST, named: 'refused in every notation' },
  },
  {
    what: 'a name is called wherever it resolves to',
    file: GUARD,
    from: 'found.length === 0 || !found.every(({ address }) => rules.isAllowed(address))',
    to: 'found.length === 0',
    noticedBy: { test: IMAGE_TEST, named: 'resolves to a private address is not dialled' },
  },
  {
    what: 'the address that was dialled is not checked',
    file: GUARD,
    from: `      if (rules.isAllowed(socket.remoteAddress ?? '')) return done(null, socket);\n`,
    to: '      return done(null, socket);\n',
    noticedBy: { test: IMAGE_TEST, named: 'the address that was dialled' },
  },
  {
    what: 'plain http and any port are asked',
    file: GUARD,
    from: 'if (!isSecure && !(rules.allowsAnyPort && ',
    to: 'if (!isSecure && !(',
    noticedBy: { test: IMAGE_TEST, named: 'only https on its own port' },
  },
  {
    what: 'a password in an address is sent along',
    file: GUARD,
    from: `  if (url.username || url.password) throw new AddressRefused('has_password');\n`,
    to: '',
    noticedBy: { test: IMAGE_TEST, named: 'without a password is fetched' },
  },
  {
    what: 'where a redirect leads is not checked',
    file: PICTURES,
    from: 'url = checkAddress(location, url, rules);',
    to: 'url = new URL(location, url);',
    noticedBy: { test: IMAGE_TEST, named: 'a redirect to a private address' },
  },
  {
    what: 'redirects are followed without end',
    file: PICTURES,
    from: 'hop <= REDIRECTS_MAX',
    to: 'hop <= 50',
    noticedBy: { test: IMAGE_TEST, named: 'three redirects' },
  },
  {
    what: 'a picture of any size is read',
    file: PICTURES,
    from: '    if (size + chunk.length > IMAGE_BYTES_MAX) throw tooLarge();\n',
    to: '',
    noticedBy: { test: IMAGE_TEST, named: 'over 8 MB' },
  },
  {
    what: 'anything is a picture',
    file: PICTURES,
    from: `  throw new ImageRefused('What stands at this address is not a JPEG, PNG or GIF picture');\n`,
    to: `  return 'image/png';\n`,
    noticedBy: { test: IMAGE_TEST, named: 'known by its first bytes' },
  },
  {
    what: 'webhooks are called around the guard of addresses',
    file: 'app/integrations/webhook-post.ts',
    from: 'new Agent({ allowH2: false, connect: guardedConnector(rules) })',
    to: 'new Agent({ allowH2: false })',
    noticedBy: { test: WEBHOOK_TEST, named: 'addresses that are not public' },
  },
  {
    what: 'a webhook is made for any address',
    file: `${WEBHOOKS}/endpoints.ts`,
    from: `  if (refusal) throw new Refusal(422, 'invalid', refusal, { field: 'url' });\n`,
    to: '',
    noticedBy: { test: WEBHOOK_TEST, named: 'addresses that are not public' },
  },
  {
    what: 'the signature of a webhook leaves out its time',
    file: `${WEBHOOKS}/signature.ts`,
    from: `.update(\`\${t}.\${body}\`)`,
    to: '.update(body)',
    noticedBy: { test: WEBHOOK_TEST, named: 'posted with its signature' },
  },
  {
    what: 'a webhook that fails is called for ever',
    file: `${WEBHOOKS}/keep-outcome.ts`,
    from: `(\${isLast}::boolean and failing_since <= \${longAgo})`,
    to: `(\${isLast}::boolean and failing_since > \${longAgo})`,
    noticedBy: { test: WEBHOOK_TEST, named: 'after 3 days of failures' },
  },
  {
    what: 'the programs of somebody who was stopped are told',
    file: `${WEBHOOKS}/send-webhooks.ts`,
    from: `    .where(({ not }) => not(isStill('webhookEndpoints.userId')))\n    .returning`,
    to: '    .returning',
    noticedBy: { test: WEBHOOK_TEST, named: 'an account that was stopped is sent nothing' },
  },
  {
    what: 'an account has any number of webhooks',
    file: `${WEBHOOKS}/endpoints.ts`,
    from: `    if (known.length >= WEBHOOKS_MAX) throw new Refusal(409, 'too_many_webhooks', FULL);\n`,
    to: '',
    noticedBy: { test: WEBHOOK_TEST, named: 'so many at most' },
  },
  {
    what: 'the token of LinkedIn goes to any upload host',
    file: 'app/integrations/linkedin-images.ts',
    from: `(protocol === 'https:' && isLinkedIn) || configured.includes(origin)`,
    to: 'Boolean(protocol && isLinkedIn) || configured.length > 0',
    noticedBy: {
      test: 'tests/integrations/linkedin-images.test.ts',
      named: 'to the configured origins only',
    },
  },
  {
    what: 'two addresses in one field are two recipients',
    file: 'app/integrations/mail.ts',
    from: `to: { name: '', address: mail.to },`,
    to: 'to: mail.to,',
    noticedBy: { test: 'tests/security/49-one-recipient.test.ts', named: 'one recipient at most' },
  },
  {
    what: 'signs that LinkedIn reads for itself are sent as they are',
    file: 'app/integrations/little-text.ts',
    from: `text.replace(RESERVED, '\\\\$&')`,
    to: 'text',
    noticedBy: {
      test: 'tests/integrations/little-text.test.ts',
      named: 'each of the 15 reserved characters',
    },
  },
  {
    what: 'a log line has whatever it is given',
    file: 'app/log.ts',
    from: 'cutObject(line, HARMLESS, 0) as Record<string, unknown>',
    to: 'line as Record<string, unknown>',
    noticedBy: { test: 'tests/log.test.ts', named: 'is cut from the log, however deep' },
  },
  {
    what: 'a sentence of the log has addresses',
    file: 'app/log.ts',
    from: '  [/(?<!\\S)\\S*@\\S+/g, CUT],\n',
    to: '',
    noticedBy: { test: 'tests/log.test.ts', named: 'a sentence loses' },
  },
  {
    what: 'the queue keeps whatever the error of a job says',
    file: 'worker/tasks.ts',
    from: 'throw toldError(error);',
    to: 'throw error;',
    noticedBy: { test: 'tests/security/58-errors-of-jobs.test.ts', named: 'no more than the log' },
  },
  {
    what: 'production starts without its secrets',
    file: 'app/env.ts',
    from: `(local ? z.string().default(value) : z.string({ error: 'is missing' }));\n  const optional`,
    to: 'z.string().default(value);\n  const optional',
    noticedBy: { test: 'tests/security/62-secrets-outside.test.ts', named: 'not without any of it' },
  },
  {
    what: 'production takes the key of the repository',
    file: 'app/env.ts',
    from: 'local || !value.includes(KNOWN_TO_ALL)',
    to: 'true',
    noticedBy: {
      test: 'tests/security/62-secrets-outside.test.ts',
      named: 'everybody can read in the repository',
    },
  },
];
