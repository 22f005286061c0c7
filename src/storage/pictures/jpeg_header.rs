//! The cost of decoding a JPEG, computed from its markers (ITU-T T.81, annex B) before it is
//! decoded.

/// Bytes of a block of coefficients.
const BLOCK_BYTES: u64 = 64 * 2;
/// Blocks that all scans of a picture together may visit: a photograph of 50 megapixels that is
/// stored progressively in the usual ten scans has 12 million.
const MAX_VISITS: u64 = 20_000_000;

/// The contents of the markers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JpegHeader {
    is_progressive: bool,
    components: Vec<Component>,
    /// Blocks that the scans visit.
    visits: u64,
    /// Bytes of compressed data.
    data: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Component {
    id: u8,
    blocks: u64,
}

impl JpegHeader {
    /// Reads all markers. Malformed data ends the reading; the decoder reports it.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut header = Self::default();
        let mut rest = bytes;
        while let Some((marker, segment, following)) = next_segment(rest) {
            rest = following;
            match marker {
                // Start of frame, but for DHT, JPG and DAC.
                0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                    header.add_frame(marker, segment)
                }
                0xDA => {
                    let length = data_length(rest);
                    header.add_scan(segment, length as u64);
                    rest = &rest[length..];
                }
                _ => {}
            }
        }
        header
    }

    fn add_frame(&mut self, marker: u8, segment: &[u8]) {
        let [_, h1, h2, w1, w2, _, components @ ..] = segment else {
            return;
        };
        let height = u64::from(u16::from_be_bytes([*h1, *h2]));
        let width = u64::from(u16::from_be_bytes([*w1, *w2]));
        let (components, _) = components.as_chunks::<3>();
        let sampling =
            |[_, sampling, _]: &[u8; 3]| (u64::from(sampling >> 4), u64::from(sampling & 15));
        let widest = components.iter().map(|part| sampling(part).0).max();
        let tallest = components.iter().map(|part| sampling(part).1).max();
        let columns = width.div_ceil(8 * widest.unwrap_or(1).max(1));
        let rows = height.div_ceil(8 * tallest.unwrap_or(1).max(1));
        self.is_progressive |= marker & 3 == 2;
        // A second frame does not replace the first.
        self.components.extend(components.iter().map(|part| {
            let (horizontal, vertical) = sampling(part);
            Component {
                id: part[0],
                blocks: columns * rows * horizontal * vertical,
            }
        }));
    }

    fn add_scan(&mut self, segment: &[u8], length: u64) {
        self.data += length;
        let count = segment.first().copied().unwrap_or(0);
        let ids = segment.get(1..).unwrap_or_default().chunks(2);
        for id in ids.take(count.into()).filter_map(|part| part.first()) {
            let found = self.components.iter().filter(|known| known.id == *id);
            self.visits += found.map(|known| known.blocks).sum::<u64>();
        }
    }

    fn all_blocks(&self) -> u64 {
        self.components.iter().map(|known| known.blocks).sum()
    }

    /// Memory of the decoder beside the pixels, in bytes: a progressive picture is collected before
    /// it is written.
    pub(crate) fn memory(&self) -> u64 {
        match self.is_progressive {
            true => self.all_blocks() * BLOCK_BYTES,
            false => 0,
        }
    }

    /// Whether its scans take more time than a photograph of the largest size.
    pub(crate) const fn is_slow(&self) -> bool {
        self.visits > MAX_VISITS
    }

    /// Whether it has less data than a picture of its size can have: each block takes at least a
    /// bit, and two if it comes in one scan.
    pub(crate) fn is_hollow(&self) -> bool {
        let bits = match self.is_progressive {
            true => 1,
            false => 2,
        };
        self.data * 8 < self.all_blocks() * bits
    }
}

/// The next marker with a segment, that segment without its length, and what follows.
fn next_segment(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let mut rest = bytes;
    loop {
        let start = memchr::memchr(0xFF, rest)?;
        rest = &rest[start + 1..];
        match rest.first()? {
            // Fill bytes and stuffed zeros; markers without a segment.
            0x00 | 0x01 | 0xD0..=0xD9 | 0xFF => {}
            marker => {
                let length: [u8; 2] = rest.get(1..3)?.try_into().ok()?;
                let end = 1 + usize::from(u16::from_be_bytes(length)).max(2);
                return Some((*marker, rest.get(3..end)?, &rest[end..]));
            }
        }
    }
}

/// The length of the compressed data at the start of `bytes`: up to a marker that does not belong
/// to it.
fn data_length(bytes: &[u8]) -> usize {
    let mut from = 0;
    while let Some(found) = memchr::memchr(0xFF, &bytes[from..]) {
        let at = from + found;
        match bytes.get(at + 1) {
            Some(0x00 | 0xD0..=0xD7 | 0xFF) => from = at + 1,
            _ => return at,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::JpegHeader;

    /// A JPEG of three components without subsampling: its frame, and scans of all components with
    /// this many bytes of data each.
    fn jpeg(frame: u8, (width, height): (u16, u16), scans: usize, data: usize) -> Vec<u8> {
        let (w, h) = (width.to_be_bytes(), height.to_be_bytes());
        let mut bytes = vec![0xFF, 0xD8, 0xFF, frame, 0, 17, 8, h[0], h[1], w[0], w[1], 3];
        bytes.extend([1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
        for _ in 0..scans {
            bytes.extend([0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0]);
            bytes.extend(vec![0x55; data]);
        }
        bytes.extend([0xFF, 0xD9]);
        bytes
    }

    #[test]
    fn the_cost_of_a_jpeg_is_known_before_it_is_decoded() {
        let (baseline, progressive) = (0xC0, 0xC2);
        // 800 by 800 are 10,000 blocks of three components.
        for (frame, scans, data, memory, is_hollow, is_slow) in [
            (baseline, 1, 7_500, 0, false, false),
            (baseline, 1, 7_499, 0, true, false),
            (progressive, 10, 375, 30_000 * 128, false, false),
            (progressive, 10, 374, 30_000 * 128, true, false),
            (progressive, 666, 6, 30_000 * 128, false, false),
            (progressive, 667, 6, 30_000 * 128, false, true),
        ] {
            let header = JpegHeader::read(&jpeg(frame, (800, 800), scans, data));
            let found = (header.memory(), header.is_hollow(), header.is_slow());
            assert_eq!(found, (memory, is_hollow, is_slow), "{scans} of {data}");
        }
    }

    #[test]
    fn a_preview_inside_is_not_counted() {
        let preview = jpeg(0xC2, (8_000, 6_000), 1, 10);
        let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xE1];
        bytes.extend((preview.len() as u16 + 2).to_be_bytes());
        bytes.extend(preview);
        bytes.extend(&jpeg(0xC0, (80, 80), 1, 100)[2..]);
        let header = JpegHeader::read(&bytes);
        assert_eq!((header.memory(), header.is_hollow()), (0, false));
    }

    #[test]
    fn nothing_that_is_cut_or_malformed_breaks_the_reading() {
        let whole = jpeg(0xC2, (800, 800), 2, 50);
        for length in 0..whole.len() {
            let _ = JpegHeader::read(&whole[..length]);
        }
        for noise in [&[0xFF; 64][..], &[0xFF, 0xC0], &[0xFF, 0xDA, 0, 0, 0xFF]] {
            assert!(!JpegHeader::read(noise).is_slow());
        }
    }

    #[test]
    #[ignore = "just fuzz-parsers"]
    fn fuzz_headers_of_pictures() {
        let seeds = [
            jpeg(0xC0, (800, 800), 1, 100),
            jpeg(0xC2, (65_535, 65_535), 30, 3),
            jpeg(0xC2, (1, 1), 0, 0),
        ];
        let bound = std::time::Duration::from_secs(1);
        fuzzing::fuzz("pictures", &seeds, &[], bound, |bytes| {
            let header = JpegHeader::read(bytes);
            let _ = (header.memory(), header.is_slow(), header.is_hollow());
        });
    }
}
