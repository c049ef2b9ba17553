/**
 * Questions React Router asks while it runs, to which this app has one answer: its build asks them once. A question that
 * is not asked any more ends the build, so that an upgrade is looked at.
 */
import type { Plugin } from 'vite';

type Answers = [question: string, answer: string][];

const BOTH: Answers = [['var ENABLE_DEV_WARNINGS = true', 'const ENABLE_DEV_WARNINGS = false']];

/** What this app's settings answer for good in the browser. */
const IN_THE_BROWSER: Answers = [
  // Every route is known from the start: see react-router.config.ts.
  ['if (!isFogOfWarEnabled(routeDiscovery, ssr)', 'if (true'],
  ['if (isFogOfWar) {', 'if (false) {'],
  ['if (!isFogOfWar) {', 'if (true) {'],
  ['if (fogOfWar.active) {', 'if (false) {'],
  ['if (fogOfWar.active && fogOfWar.matches) {', 'if (false) {'],
  ['if (init.patchRoutesOnNavigation) {', 'if (false) {'],
  // Loaders and actions are the server's, and only the root has middleware in the browser: see LEFT_OUT below.
  ['if (!routeModule.clientLoader) {', 'if (true) {'],
  ['if (!routeModule.clientAction) {', 'if (true) {'],
  ['if (!route.hasClientLoader) {', 'if (true) {'],
  ['if (!route.hasClientAction) {', 'if (true) {'],
  ['loader: route.hasClientLoader ?', 'loader: false ?'],
  ['action: route.hasClientAction ?', 'action: false ?'],
  ['middleware: route.hasClientMiddleware ?', 'middleware: false ?'],
  ['if (route.clientLoaderModule || route.clientActionModule) {', 'if (false) {'],
  ['if (route2.clientActionModule) {', 'if (false) {'],
  ['if (route2.clientLoaderModule) {', 'if (false) {'],
  ['if (shouldAllowOptOut(m) && hasClientLoader) {', 'if (false) {'],
  // A part of the page that cannot be fetched ends in an error, which is told, and is asked for again: what was typed
  // would be lost with the page.
  ['window.location.reload();\n    return new Promise(() => {\n    });', 'throw error;'],
  ['if (lazyRoutePromise) {', 'if (false) {'],
  ['let cachedPromise = cache[key];', 'let cachedPromise;'],
  // Pages are rendered by the server, and a build is not replaced piece by piece.
  ['if (isSpaMode) {', 'if (false) {'],
  ['if (needsRevalidation) {', 'if (false) {'],
  ['if (!ssr && !foundRevalidatingServerLoader) {', 'if (false) {'],
  ['if (!ssr && manifestRoute.hasLoader && !manifestRoute.hasClientLoader) {', 'if (false) {'],
  // What the server hands over with a page has come by then, and is data, or the text of them.
  [
    'decodeViaTurboStream(stream, window).then(',
    'stream.then((data) => typeof data === "string" ? decodeViaTurboStream(new Response(data).body, window) : { value: data }).then(',
  ],
  // A fetcher sends forms; it loads nothing.
  ['if (fetcherKey) {', 'if (false) {'],
  [
    'matches, scopedContext, isFogOfWar, flushSync, preventScrollReset, submission) {',
    'matches, scopedContext, isFogOfWar, flushSync, preventScrollReset, submission) { return;',
  ],
  ['if (useTransitions === true) {', 'if (false) {'],
  ['enableFogOfWar = isFogOfWarEnabled(routeDiscovery, ssr)', 'enableFogOfWar = false'],
  // The client entry gives the router nothing that watches it at work.
  ['if (init.instrumentations)', 'if (false)'],
  // What is around the router is not told where it is: that came outside of the transition to the next page, and all
  // that waits for its script was taken off the page.
  ['let [location2, setLocation] = React2.useState(router.state.location);', 'const location2 = void 0;'],
  ['React2.useLayoutEffect(() => {\n    if (ssrInfo && ssrInfo.router) {', 'void (() => {\n    if (false) {'],
  ['if (state.location !== props.location) {', 'if (false) {'],
  // Whoever reads an error is told no tricks of the trade.
  ['let heyDeveloper = ', 'let heyDeveloper = null && '],
  // Styles that stand in the page are a matter of the development server.
  ['React2.useEffect(() => {\n    if (process.env', 'void (() => {\n    if (process.env'],
  // There are no server components.
  ['if (this.context) {', 'if (false) {'],
  ['if (this.context && typeof error', 'if (false && typeof error'],
  // No page moves into another one.
  ['let isViewTransitionAvailable = router', 'let isViewTransitionAvailable = false && router'],
  ['if (!viewTransitionOpts || !isViewTransitionAvailable) {', 'if (true) {'],
  ['if (vtContext.isTransitioning && !vtContext.flushSync) {', 'if (false) {'],
  ['if (renderDfd && pendingState && router.window) {', 'if (false) {'],
  ['if (renderDfd && pendingState && state.location.key', 'if (false && state.location.key'],
  ['if (!vtContext.isTransitioning && interruption) {', 'if (false) {'],
  ['if (pendingAction === "POP" /* Pop */ && !isUninterruptedRevalidation', 'if (false'],
  ['} else if (pendingViewTransitionEnabled) {', '} else if (false) {'],
  ['if (isBrowser3) {\n      restoreAppliedTransitions', 'if (false) {\n      restoreAppliedTransitions'],
  // No link asks for its page before it is followed.
  ['return shouldPrefetch && !isAbsolute', 'return false'],
  ['isPageLinkDescriptor(link) ?', 'false ?'],
  // The document's own scripts are the server's to write.
  ['contextScript = staticContext ?', 'contextScript = false ?'],
  ['routeModulesScript = !isStatic ?', 'routeModulesScript = true ?'],
  [
    'function usePrefetchBehavior(prefetch, theirElementProps) {',
    'function usePrefetchBehavior() { return [false, null, {}];',
  ],
];

/** The server renders a page once, in one go, and nobody clicks there. */
const ON_THE_SERVER: Answers = [
  // A branch of the tree of routes that cannot lead to the address is not walked down piece by piece.
  [
    'let { routesMeta } = branch;',
    `let { routesMeta } = branch;
  branch.whole ??= compilePath(branch.path, false, true)[0];
  if (!allowPartial && !branch.whole.test(pathname)) return null;`,
  ],
  // An address without parameters is the path of its route, which goes before all others.
  [
    `for (let i = 0; matches == null && i < branches.length; ++i) {
    matches = matchRouteBranch(`,
    `branches.literal ??= new Map(branches.filter(({ path }) => !/[:*?]/.test(path)).reverse().map((one) => [one.path, one]));
  const literal = allowPartial ? void 0 : branches.literal.get(decoded);
  if (literal) matches = matchRouteBranch(literal, decoded, false);
  for (let i = 0; matches == null && i < branches.length; ++i) {
    matches = matchRouteBranch(`,
  ],
  [
    'routeModules: createEntryRouteModules(',
    'routeModules: staticHandler.modules ??= createEntryRouteModules(',
  ],
  // What a page hands to the browser has come by then. It is written as it is, and in one go where JSON cannot say it all:
  // see app/http/handed-data.ts.
  ['serverHandoffStream: encodeViaTurboStream(', 'serverHandoffStream: () => encodeViaTurboStream('],
  [
    'window.__reactRouterContext.stream = new ReadableStream({start(controller){window.__reactRouterContext.streamController = controller;}}).pipeThrough(new TextEncoderStream());',
    'window.__reactRouterContext.stream = new Promise((hand) => { window.__reactRouterContext.hand = hand; });',
  ],
  ['async function flatten(input) {', 'function flatten(input) {'],
  ['await stringify.call(this, stack);', 'stringify.call(this, stack);'],
  ['async function stringify(stack) {', 'function stringify(stack) {'],
  [
    'if (++i % 6e3 === 0 && now - lastYieldTime >= TIME_LIMIT_MS) {\n      await yieldToMain();',
    'if (false) {',
  ],
  ['const now = getNow();', ''],
  [
    'const textEncoder = new TextEncoder();',
    `const index = flatten.call(encoder, input);
  if (Object.keys(encoder.deferred).length > 0) throw new Error("Loaders await what they answer.");
  return (index < 0 ? index : "[" + encoder.stringified.join(",") + "]") + "\\n";
  const textEncoder = new TextEncoder();`,
  ],
  [
    'let controller = new AbortController();\n  let timeoutId = setTimeout(',
    'let controller = {};\n  let timeoutId = void (',
  ],
  ['requestSignal.addEventListener("abort", abortControllerOnRequestAbort);', ''],
  // What depends on the routes of a page alone is worked out once for each page: its manifest stays the same.
  ['let routes = createServerRoutes(', 'let routes = manifest.tree ??= createServerRoutes('],
  [
    'let manifest = {};\n  let dataRoutes = convertRoutesToDataRoutes(',
    'let manifest = routes.manifest ??= {};\n  let dataRoutes = routes.data ??= convertRoutesToDataRoutes(',
  ],
  [
    '() => getKeyedLinksForMatches(matches, routeModules, manifest)',
    `() => errors
      ? getKeyedLinksForMatches(matches, routeModules, manifest)
      : manifest.links ??= getKeyedLinksForMatches(matches, routeModules, manifest)`,
  ],
  ['let routeModulesScript = !isStatic ?', 'let routeModulesScript = manifest.script ??= !isStatic ?'],
  [
    'serverHandoffString: createServerHandoffString({\n        ...baseServerHandoff,\n        criticalCss\n      }),',
    'serverHandoffString: build.settings ??= createServerHandoffString(baseServerHandoff),',
  ],
  // The address that all handlers of a request are told is made once.
  [
    'function createDataFunctionUrl(request, path) {',
    `function createDataFunctionUrl(request, path) {
  return request.toldUrl ??= dataFunctionUrl(request, path);
}
function dataFunctionUrl(request, path) {`,
  ],
  // No page is rendered while the app is built.
  ['function getBuildTimeHeader(request, headerName) {', 'function getBuildTimeHeader() { return null;'],
  // Where a link leads that begins at the root does not depend on where it stands.
  [
    `let routePathnamesJson = JSON.stringify(getResolveToMatches(matches));
  return React2.useMemo(
    () => resolveTo(
      to,
      JSON.parse(routePathnamesJson),
      locationPathname,
      relative === "path"
    ),
    [to, routePathnamesJson, locationPathname, relative]
  );`,
    `const isFromRoot = typeof to === "string" && to.startsWith("/");
  return resolveTo(to, isFromRoot ? [] : getResolveToMatches(matches), locationPathname, relative === "path");`,
  ],
  // Such a link is its own href, when nothing in it has to be resolved or encoded; of a query alone the href is the address of the page with that.
  [
    'function useHref(to, { relative } = {}) {',
    `const saysAll = (to) => typeof to === "string" && /^(?:\\/[\\w-]+)+(?:\\?[\\w=&-]+)?(?:#[\\w-]+)?$/.test(to);
function useHref(to, { relative } = {}) {
  if (saysAll(to)) return to;
  const { pathname: here } = React2.useContext(LocationContext).location;
  if (typeof to === "string" && /^\\?[\\w=&-]+(?:#[\\w-]+)?$/.test(to) && /^[\\w/-]+$/.test(here)) return here + to;`,
  ],
  [
    'let { basename, navigator, useTransitions } = React10.useContext(NavigationContext);\n    let isAbsolute',
    `if (!mask && saysAll(to)) {
      const discovered = discover === "render" ? "true" : void 0;
      return React10.createElement("a", { ...rest, href: to, target, "data-discover": discovered });
    }
    let { basename, navigator, useTransitions } = React10.useContext(NavigationContext);
    let isAbsolute`,
  ],
  [
    'function useFormAction(action, { relative } = {}) {',
    'function useFormAction(action, { relative } = {}) {\n  if (saysAll(action)) return action;',
  ],
  ['let submit = useSubmit();\n    let formAction', 'let submit;\n    let formAction'],
  // Nor is there anything to encode in most of the addresses that led to a page.
  [
    'navigator.encodeLocation ? navigator.encodeLocation(\n            match.pathname.replace',
    '/[^\\w/-]/.test(match.pathname) ? navigator.encodeLocation(\n            match.pathname.replace',
  ],
  [
    'navigator.encodeLocation ? navigator.encodeLocation(\n            match.pathnameBase.replace',
    '/[^\\w/-]/.test(match.pathnameBase) ? navigator.encodeLocation(\n            match.pathnameBase.replace',
  ],
  ['let internalOnClick = useLinkClickHandler(to, {', 'let internalOnClick = (() => () => {})(to, {'],
  [
    'function usePrefetchBehavior(prefetch, theirElementProps) {',
    'function usePrefetchBehavior() { return [false, null, {}];',
  ],
];

/** What a file of ours would need of React Router that is left out. */
const LEFT_OUT = /prefetch=|viewTransition|\bclient(?:Loader|Action)\b|fetcher\.load/;

/** Puts one environment's answers where React Router's package asks. */
function answering(environment: 'client' | 'ssr', answers: Answers): Plugin {
  const open = new Set(answers.map(([question]) => question));
  return {
    name: `tidepost:answer-router-${environment}`,
    apply: 'build',
    applyToEnvironment: ({ name }) => name === environment,
    transform(code, id) {
      if (!id.includes('/react-router/dist/development/')) return null;
      return answers.reduce((text, [question, answer]) => {
        if (text.includes(question)) open.delete(question);
        return text.replaceAll(question, answer);
      }, code);
    },
    buildEnd(error) {
      if (!error && open.size) this.error(`React Router does not ask any more: ${[...open].join('; ')}`);
    },
  };
}

/** Of what is left out in the browser no file of ours may make use; nor do names for developer tools keep it. */
function leaveOut(): Plugin {
  return {
    name: 'tidepost:leave-out',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      const needed = /\/app\/.*\.tsx/.test(id) && LEFT_OUT.exec(code)?.[0];
      if (needed) this.error(`${id} has ${needed}: scripts/router-answers.ts leaves the code for it out.`);
      if (!id.includes('/react-router/dist/development/')) return null;
      return code
        .replace(/^\w+\.displayName = .*;$/gm, '')
        .replace(/= (?=React\d*\.forwardRef\()/g, '= /* @__PURE__ */ ');
    },
  };
}

/** React Router's package offers its development build alone, with code for settings that are not made here. */
export const answerRouter = (): Plugin[] => [
  {
    name: 'tidepost:bundle-router',
    apply: 'build',
    config: () => ({ ssr: { noExternal: ['react-router'] } }),
  },
  answering('client', [...BOTH, ...IN_THE_BROWSER]),
  answering('ssr', [...BOTH, ...ON_THE_SERVER]),
  leaveOut(),
];
