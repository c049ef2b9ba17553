import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { keepTypedAhead } from './ui/typed-ahead.ts';

keepTypedAhead();

// The build keeps this file in one with the framework, which the routes' modules import. Hydration still waits for
// all of them: React begins in a task of its own, after the page has named its routes.
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
