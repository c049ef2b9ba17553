import { sdk } from './openai-client.ts';
import { WriterBusy, WriterFault } from './writer-errors.ts';

/** What a failed call means for us: WriterBusy, WriterFault, or the error itself when it is ours. */
export async function classify(error: unknown): Promise<Error> {
  const { APIConnectionError, APIError } = await sdk();
  if (error instanceof APIConnectionError) return new WriterBusy('The writer cannot be reached', null);
  if (!(error instanceof APIError)) {
    return error instanceof SyntaxError
      ? new WriterBusy('The writer answered with broken data', null)
      : asError(error);
  }
  const { status, code, type } = error;
  const isOutOfQuota = [code, type].some(
    (word) => word === 'insufficient_quota' || word === 'credit_balance_exhausted',
  );
  if (isOutOfQuota) return new WriterFault('The writer says that its quota is used up.');
  if (status === 429 || status === 408 || status === 409 || (status && status >= 500)) {
    const seconds = Number(error.headers?.get('retry-after') ?? Number.NaN);
    return new WriterBusy(`The writer answered ${status}`, Number.isFinite(seconds) ? seconds : null);
  }
  if (status === 401) return new WriterFault('The writer refuses the key in OPENAI_API_KEY.');
  return new WriterFault(`The writer refuses our requests (${status} ${code ?? type ?? ''}).`);
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
