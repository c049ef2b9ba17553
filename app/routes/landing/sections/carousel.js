// Sent to browsers as it stands here. Without it the list scrolls, and the dots are links to its items.
const EVERY_MS = 5000;
const SWIPE_PX = 50;
const still = matchMedia('(prefers-reduced-motion: reduce)');

for (const root of document.querySelectorAll('.carousel')) {
  const list = root.querySelector('ul');
  const [first, second] = list.children;
  const dots = [...root.querySelectorAll('.carousel-dots a')];
  const [back, pause, on] = root.querySelectorAll('button');
  const step = () => second.offsetLeft - first.offsetLeft;
  const last = () => Math.round((list.scrollWidth - list.clientWidth) / step());
  const place = () => Math.min(last(), Math.round(list.scrollLeft / step()));
  let [timer, from, isPaused] = [0, null, false];

  const restart = () => {
    clearInterval(timer);
    timer = setInterval(tick, EVERY_MS);
  };
  const go = (to) => {
    const end = last();
    const at = to > end ? 0 : to < 0 ? end : to;
    list.scrollTo({ left: at * step(), behavior: still.matches ? 'instant' : 'smooth' });
    restart();
  };
  const tick = () => {
    if (!isPaused && !still.matches && !document.hidden && !root.matches(':hover, :focus-within'))
      go(place() + 1);
  };
  const mark = () => {
    for (const [index, dot] of dots.entries()) {
      if (index === place()) dot.setAttribute('aria-current', 'true');
      else dot.removeAttribute('aria-current');
    }
  };
  const down = (x) => {
    from = { x, at: place() };
  };
  const up = (x) => {
    if (!from) return;
    const moved = from.x - x;
    const to = from.at + Math.sign(moved);
    from = null;
    if (Math.abs(moved) > SWIPE_PX && to >= 0 && to <= last()) go(to);
  };

  back.onclick = () => go(place() - 1);
  on.onclick = () => go(place() + 1);
  pause.onclick = () => {
    isPaused = !isPaused;
    pause.textContent = isPaused ? 'Play' : 'Pause';
    restart();
  };
  for (const [index, dot] of dots.entries())
    dot.onclick = (event) => {
      event.preventDefault();
      go(index);
    };
  list.addEventListener('scroll', mark, { passive: true });
  list.addEventListener('touchstart', ({ touches }) => down(touches[0].clientX), { passive: true });
  list.addEventListener('touchend', ({ changedTouches }) => up(changedTouches[0].clientX), { passive: true });
  list.addEventListener('pointerdown', (event) => event.pointerType === 'mouse' && down(event.clientX));
  addEventListener('pointerup', (event) => event.pointerType === 'mouse' && up(event.clientX));
  list.addEventListener('dragstart', (event) => event.preventDefault());
  for (const leaving of ['pointerleave', 'focusout']) root.addEventListener(leaving, restart);
  const drop = ({ target }) => target.remove();
  list.addEventListener('error', drop, true);
  for (const image of list.querySelectorAll('img')) if (image.complete && !image.naturalWidth) image.remove();
  mark();
  restart();
  root.classList.add('is-live');
}
