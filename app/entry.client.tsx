import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { keepEarlyInput } from '#app/ui/form/hydration-input.ts';
import { restoreTyped } from '#app/ui/form/restored-text.ts';

restoreTyped();
keepEarlyInput();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
