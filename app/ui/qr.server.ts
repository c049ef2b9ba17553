import { QRCodeSVG } from 'qrcode.react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

const QUIET_ZONE = 4;

/** A QR code (level M) as an SVG data URI, dark on white in both themes so that every camera reads it. */
export function qrDataUri(value: string, size: number): string {
  const code = createElement(QRCodeSVG, {
    value,
    size,
    level: 'M',
    marginSize: QUIET_ZONE,
    bgColor: '#fff',
    fgColor: '#000',
    xmlns: 'http://www.w3.org/2000/svg',
  });
  return `data:image/svg+xml,${encodeURIComponent(renderToStaticMarkup(code))}`;
}
