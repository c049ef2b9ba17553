import { type ComponentType, lazy, Suspense, useState } from 'react';

const INPUT_EVENTS = [
  'pointermove',
  'pointerdown',
  'touchstart',
  'wheel',
  'scroll',
  'keydown',
  'focusin',
  'click',
  'popstate',
] as const;
let wake = () => {};
const firstInput = new Promise<void>((resolve) => {
  if (typeof window === 'undefined') return;
  wake = () => {
    for (const event of INPUT_EVENTS) window.removeEventListener(event, wake);
    resolve();
  };
  for (const event of INPUT_EVENTS) window.addEventListener(event, wake, { passive: true, once: true });
});

/** Loads components that wait for input now, because the page is about to update without any. */
export const loadDeferred = () => wake();

/**
 * A component whose script the browser fetches when it is first shown. On the server, call `load` before rendering, so that
 * it does not suspend. With `waitsForInput` the script is fetched at the first interaction with the page; until then the
 * server's HTML works as without scripts.
 */
export function onDemand<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
  { waitsForInput = false } = {},
) {
  let loaded: ComponentType<Props> | undefined;
  const load = async () => {
    loaded ??= await fetchComponent();
    return { default: loaded };
  };
  const Fetched = lazy(waitsForInput ? () => firstInput.then(load) : load);
  function OnDemand(props: Props) {
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Fetched);
    return (
      <Suspense>
        <Component {...props} />
      </Suspense>
    );
  }
  return Object.assign(OnDemand, { load });
}
