import { startSandbox } from '#sandbox/server/server.ts';

const port = Number(process.env.SANDBOX_PORT || 4400);
const smtpPort = Number(process.env.SANDBOX_SMTP_PORT || 4425);
const smtpsPort = Number(process.env.SANDBOX_SMTPS_PORT || 0);
const host = process.env.SANDBOX_HOST || '127.0.0.1';

const sandbox = await startSandbox({ port, smtpPort, smtpsPort, host }).catch((error: Error) => {
  console.error(`The sandbox could not start: ${error.message}`);
  process.exit(1);
});
console.log(`sandbox ready http=${sandbox.url} smtp=${sandbox.smtpUrl} smtps=${sandbox.smtpsUrl}`);

let isClosing = false;
async function stop() {
  if (isClosing) return;
  isClosing = true;
  await sandbox.close();
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
