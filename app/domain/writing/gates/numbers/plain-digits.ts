/** The first digit of each script that writes numbers with ten digits. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xff10];

const FOREIGN_DIGIT = new RegExp(
  `[${ZEROS.map((zero) => String.fromCharCode(zero, 0x2d, zero + 9)).join('')}]`,
  'g',
);

export const plainDigits = (text: string): string =>
  text.replace(FOREIGN_DIGIT, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - ZEROS.findLast((zero) => zero <= code)!);
  });
