import { type ComponentType, lazy, Suspense, useState } from 'react';

const ACTS = [
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
/** Until the reader of the page does something. */
const used = new Promise<void>((resolve) => {
  if (typeof window === 'undefined') return;
  wake = () => {
    for (const act of ACTS) window.removeEventListener(act, wake);
    resolve();
  };
  for (const act of ACTS) window.addEventListener(act, wake, { passive: true, once: true });
});

/** What waits for its reader is fetched now: the page is about to change by itself. */
export const loadDeferred = () => wake();

/**
 * A component whose script a browser fetches when it is first shown. The server calls `load` before it
 * renders one, so that it renders in one go. `waitsForInput`: it is fetched when the reader of the page does something.
 * Until then it is the server's HTML, whose links and forms do what they do without scripts.
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
  const Fetched = lazy(waitsForInput ? () => used.then(load) : load);
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
