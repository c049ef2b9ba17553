import { type ComponentType, lazy, Suspense, useState } from 'react';

/**
 * A component whose script a browser fetches when it is first shown. The server calls `load` before it
 * renders one, so that it renders in one go.
 */
export function onDemand<Props extends object>(fetchComponent: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const load = async () => {
    loaded = await fetchComponent();
    return { default: loaded };
  };
  const Fetched = lazy(load);
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
