import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { restoreTyped } from '#app/ui/restored-text.ts';
import { keepTypedAhead } from '#app/ui/typed-ahead.ts';

restoreTyped();
keepTypedAhead();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
