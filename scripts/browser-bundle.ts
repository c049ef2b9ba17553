/**
 * What keeps the browser's scripts few and small. Each plugin ends the build when the package it changes is not
 * as it expects, so that an upgrade is looked at.
 */
import path from 'node:path';
import type { Plugin } from 'vite';

const isClient = ({ name }: { name: string }) => name === 'client';

/** Questions React Router asks while it runs, and what this app's settings answer for good. */
const ROUTER_ANSWERS: [question: string, answer: string][] = [
  ['var ENABLE_DEV_WARNINGS = true', 'const ENABLE_DEV_WARNINGS = false'],
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

/** What a file of ours would need of React Router that is left out. */
const LEFT_OUT = /prefetch=|viewTransition|\bclient(?:Loader|Action)\b|fetcher\.load/;

/** React Router's package offers browsers its development build, with code for settings that are not made here. */
export function answerRouter(): Plugin {
  const open = new Set(ROUTER_ANSWERS.map(([question]) => question));
  return {
    name: 'tidepost:answer-router',
    apply: 'build',
    applyToEnvironment: isClient,
    transform(code, id) {
      const needed = /\/app\/.*\.tsx/.test(id) && LEFT_OUT.exec(code)?.[0];
      if (needed) this.error(`${id} has ${needed}: scripts/browser-bundle.ts leaves the code for it out.`);
      if (!id.includes('/react-router/dist/development/')) return null;
      const answered = ROUTER_ANSWERS.reduce((text, [question, answer]) => {
        if (text.includes(question)) open.delete(question);
        return text.replaceAll(question, answer);
      }, code);
      // Names for developer tools would keep components that nothing uses.
      return answered
        .replace(/^\w+\.displayName = .*;$/gm, '')
        .replace(/= (?=React\d*\.forwardRef\()/g, '= /* @__PURE__ */ ');
    },
    buildEnd(error) {
      if (!error && open.size) this.error(`React Router does not ask any more: ${[...open].join('; ')}`);
    },
  };
}

const ICON =
  /const __iconData = \{[^[]*node: (\[[\s\S]*?\])(?:,\s*aliases: \[[^\]]*\])?\s*\};\s*__iconData\.node;/;

type Drawing = [tag: string, attributes: Record<string, string>][];

/** The drawing of an icon, a literal of its package, as the markup that it comes to. */
function markupOf(literal: string): string {
  const drawing: Drawing = JSON.parse(
    literal.replace(/(\w+|"[\w-]+"):/g, (_, name) => `"${name.replaceAll('"', '')}":`),
  );
  const attributes = ({ key: _, ...all }: Drawing[number][1]) =>
    Object.entries(all).map(([name, value]) => ` ${name}="${value}"`);
  return drawing.map(([tag, all]) => `<${tag}${attributes(all).join('')}/>`).join('');
}

/** An icon of Lucide's brings its drawing only: `app/ui/icon.ts` makes the svg around it, in all pages alike. */
export function bareIcons(): Plugin {
  const factory = path.join(import.meta.dirname, '../app/ui/icon.ts');
  return {
    name: 'tidepost:bare-icons',
    enforce: 'pre',
    apply: 'build',
    config: () => ({ ssr: { noExternal: ['lucide-react'] } }),
    resolveId(source, importer) {
      return source === '../createLucideIcon.mjs' && importer?.includes('/lucide-react/') ? factory : null;
    },
    transform(code, id) {
      if (!/\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/.test(id) || !code.includes('__iconData'))
        return null;
      if (!ICON.test(code)) this.error(`${id} draws its icon in a way that is not known.`);
      return code.replace(ICON, (_, drawing) => `const __iconData = ${JSON.stringify(markupOf(drawing))};`);
    },
  };
}

/**
 * Entries may carry what others share, so that none needs a second file. What is fetched on demand is just
 * fetched: all styles are in the page's own sheets, and no list of files to preload goes with it.
 */
export function fewFiles(): Plugin {
  return {
    name: 'tidepost:few-files',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: isClient,
    options: (options) => ({ ...options, preserveEntrySignatures: 'allow-extension' }),
    load(id) {
      return id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null;
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isDynamicEntry || !chunk.viteMetadata?.importedCss.size)
          continue;
        this.error(`${chunk.fileName} is fetched on demand, without the styles it imports.`);
      }
    },
  };
}

type Graph = { getModuleInfo(id: string): { importers: readonly string[] } | null };

const FIRST_LOAD = /\/app\/(?:root|routes\/app-layout|routes\/dashboard\/dashboard)\.tsx/;

/** Whether a module is needed for the dashboard's first load, by way of those that import it. */
function isNeededFirst(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (FIRST_LOAD.test(id)) return true;
  seen.add(id);
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return importers.some((importer) => !seen.has(importer) && isNeededFirst(importer, graph, seen));
}

/**
 * What every signed-in page loads, in two files: each of many small ones would be another request. The second
 * holds the shared parts the dashboard needs, and its icons.
 */
export const CHUNKS = [
  {
    name: 'framework',
    test: /rolldown\/runtime|vite\/preload-helper|\/app\/entry\.client|node_modules\/(?:react|react-dom|react-router|scheduler)\//,
  },
  {
    test: /\/app\/(?:root\.tsx|ui\/|domain\/|integrations\/|routes\/(?:[\w-]+\.ts$|posts\/slot-rows))|\/lucide-react\/dist\/esm\/icons\//,
    name: (id: string, graph: Graph) => (isNeededFirst(id, graph) ? 'root' : null),
  },
  {
    // Small things that several of the other pages show; a form brings conform, and the visitors' pages a frame.
    name: 'parts',
    test: /\/app\/(?:ui\/(?!form|field|otp-|auth-|tide-)|domain\/|integrations\/|routes\/[\w-]+\.ts$)|\/lucide-react\/dist\/esm\/icons\/(?!eye)/,
    minShareCount: 2,
  },
  {
    // Conform and the fields of forms.
    name: 'form',
    test: /node_modules\/@conform-to\/|\/app\/ui\/(?:form|field|error-text|typed)/,
    minShareCount: 2,
  },
  {
    // What the queue and the history share.
    name: 'posts',
    test: /\/app\/routes\/posts\//,
    minShareCount: 2,
  },
];

/** Calls that only speak to developers. */
export const UNHEARD = ['warning', 'warnOnce'];
