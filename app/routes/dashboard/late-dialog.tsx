import { type ComponentProps, lazy, Suspense, useState } from 'react';
import type { SubscribeDialog } from '#app/routes/payments/subscribe-dialog.tsx';

let loaded: typeof SubscribeDialog | undefined;

/** Fetches the dialog. The server does so before it renders one, so that it renders in one go. */
export async function loadDialog() {
  const dialog = await import('#app/routes/payments/subscribe-dialog.tsx');
  loaded = dialog.SubscribeDialog;
  return { default: loaded };
}

const Late = lazy(loadDialog);

/** The subscription dialog, which a browser fetches only when it opens. */
export function LateSubscribeDialog(props: ComponentProps<typeof SubscribeDialog>) {
  const [Dialog] = useState(() => loaded ?? Late);
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
