//! Executables with SYCL's device images, as DPC++'s linker wrapper describes them.

/// An image: its code, its entries, and its property sets, whose byte arrays begin with their length.
pub struct LinkedImage {
    /// The version of the description: 3, unless a test needs another one.
    pub version: u64,
    pub target: &'static str,
    pub code: Vec<u8>,
    pub entries: Vec<String>,
    pub sets: Vec<(String, Vec<(String, LinkedValue)>)>,
}

pub enum LinkedValue {
    Number(u32),
    Bytes(Vec<u8>),
}

/// Bytes that are at an address, with the pointers in them.
#[derive(Default)]
struct Linker {
    data: Vec<u8>,
    /// Places of pointers, and the addresses to which they point.
    pointers: Vec<(u64, u64)>,
}

/// Address of the start of the file.
const BASE: u64 = 0x10_0000;
const HEADER: usize = 64;

impl Linker {
    /// Adds bytes and returns their address.
    fn add(&mut self, bytes: &[u8]) -> u64 {
        self.data.resize(self.data.len().next_multiple_of(8), 0);
        let address = BASE + (HEADER + self.data.len()) as u64;
        self.data.extend(bytes);
        address
    }

    fn add_text(&mut self, text: &str) -> u64 {
        self.add(&[text.as_bytes(), &[0]].concat())
    }

    /// Adds a structure of numbers, some of which are pointers, and returns its address.
    fn add_struct(&mut self, fields: &[Field]) -> u64 {
        let words = fields.iter().flat_map(|field| match field {
            Field::Number(number) => number.to_le_bytes(),
            Field::Pointer(_) => [0; 8],
        });
        let address = self.add(&words.collect::<Vec<u8>>());
        for (place, field) in (address..).step_by(8).zip(fields) {
            if let Field::Pointer(target) = field {
                self.pointers.push((place, *target));
            }
        }
        address
    }

    /// Adds structures of one size in a row, and returns pointers to their begin and end; null if there are none.
    fn add_all(&mut self, structs: &[Vec<Field>]) -> [Field; 2] {
        let fields: Vec<Field> = structs.iter().flatten().copied().collect();
        let address = self.add_struct(&fields);
        match fields.len() {
            0 => [Field::Number(0); 2],
            count => [Field::Pointer(address), Field::Pointer(address + 8 * count as u64)],
        }
    }

    /// Adds an image, and returns the structure that lists it.
    fn add_image(&mut self, image: &LinkedImage) -> Vec<Field> {
        let code = self.add(&image.code);
        let entries: Vec<Vec<Field>> = image
            .entries
            .iter()
            .map(|name| {
                vec![
                    Field::Number(0),
                    Field::Pointer(self.add_text(name)),
                    Field::Number(0),
                    Field::Number(0),
                ]
            })
            .collect();
        let [entries, end_of_entries] = self.add_all(&entries);
        let mut sets = Vec::new();
        for (name, properties) in &image.sets {
            let properties: Vec<Vec<Field>> = properties
                .iter()
                .map(|(name, value)| {
                    let name = Field::Pointer(self.add_text(name));
                    match value {
                        LinkedValue::Number(number) => {
                            vec![name, Field::Number(0), Field::Number(1), Field::Number(u64::from(*number))]
                        }
                        LinkedValue::Bytes(bytes) => {
                            let value = Field::Pointer(self.add(bytes));
                            vec![name, value, Field::Number(2), Field::Number(bytes.len() as u64)]
                        }
                    }
                })
                .collect();
            let [first, end] = self.add_all(&properties);
            sets.push(vec![Field::Pointer(self.add_text(name)), first, end]);
        }
        let [sets, end_of_sets] = self.add_all(&sets);
        let target = Field::Pointer(self.add_text(image.target));
        let options = Field::Pointer(self.add_text(""));
        let end = Field::Pointer(code + image.code.len() as u64);
        let version = Field::Number(image.version);
        self.add_struct(&[
            version,
            target,
            options,
            options,
            Field::Pointer(code),
            end,
            entries,
            end_of_entries,
            sets,
            end_of_sets,
        ]);
        vec![Field::Pointer(code), Field::Number(image.code.len() as u64)]
    }
}

#[derive(Clone, Copy)]
enum Field {
    Number(u64),
    Pointer(u64),
}

/// Returns a position-independent ELF file for x86-64 with these images.
pub fn linked(images: &[LinkedImage]) -> Vec<u8> {
    let mut linker = Linker::default();
    let listed: Vec<Vec<Field>> = images.iter().map(|image| linker.add_image(image)).collect();
    let data_size = linker.data.len() as u64;
    let list = linker.add_struct(&listed.concat());
    let list_size = 16 * images.len() as u64;
    let relocations: Vec<u8> = linker
        .pointers
        .iter()
        .flat_map(|(place, address)| [*place, 8, *address])
        .flat_map(u64::to_le_bytes)
        .collect();
    let relocations_size = relocations.len() as u64;
    let relocations_at = linker.add(&relocations);
    const NAMES: &[u8] = b"\0.data.rel.ro\0.tgtimg\0.rela.dyn\0.shstrtab\0";
    let names_at = linker.add(NAMES);
    // The name, type, address and size of each section.
    let sections = [
        (0, 0, 0, 0),
        (1, 1, BASE + HEADER as u64, data_size),
        (14, 1, list, list_size),
        (22, 4, relocations_at, relocations_size),
        (32, 3, names_at, NAMES.len() as u64),
    ];
    let mut table = Vec::new();
    for (name, kind, address, size) in sections {
        table.extend(u64::to_le_bytes(name | kind << 32));
        let fields = [0, address, address.saturating_sub(BASE), size, 0, 0, 0];
        table.extend(fields.into_iter().flat_map(u64::to_le_bytes));
    }
    let table_at = linker.add(&table) - BASE;
    let mut header = vec![0; HEADER];
    header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    header[0x10..0x14].copy_from_slice(&[3, 0, 62, 0]);
    header[0x28..0x30].copy_from_slice(&table_at.to_le_bytes());
    header[0x3a..0x40].copy_from_slice(&[64, 0, sections.len() as u8, 0, 4, 0]);
    [header, linker.data].concat()
}
